// Where the build writes, and how: every file is the same, byte for byte, on
// every run and every platform.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

/** The folder of package.json. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The folder that the Go binary embeds. */
export const dist = path.join(root, 'dist');

/** Writes one file of dist. */
export function write(name, content) {
  const file = path.join(dist, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Writes one file of dist, compressed; name ends in .gz. */
export function writeGzip(name, content) {
  const packed = gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  packed[9] = 255; // the system that packed it: unknown, or two platforms would differ
  write(name, packed);
}

/** The folder of an installed package. */
export function packageFolder(name) {
  return path.join(root, 'node_modules', ...name.split('/'));
}
