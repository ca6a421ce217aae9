import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const c = zlib.constants;

/** map.js and map.css together, Brotli, in bytes (map contract 7). */
export const target = 300_000;

/** Below this a compressed copy saves no packet. */
const small = 1000;

/**
 * pack writes every file of from as to/NAME.br and to/NAME.gz. The plain file is
 * not among them: the server inflates for the rare client that accepts neither.
 * What was packed before goes first; the committed placeholder stays.
 */
export async function pack(from, to) {
  for (const name of await readdir(to)) {
    if (name !== 'placeholder.html') await rm(path.join(to, name), { recursive: true });
  }
  const sizes = new Map();
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((e) => e.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(from, file);
    const data = await readFile(file);
    const dest = path.join(to, name);
    await mkdir(path.dirname(dest), { recursive: true });
    if (data.length < small) {
      await writeFile(dest, data);
      sizes.set(name, { raw: data.length, br: data.length, gz: data.length });
      continue;
    }
    const br = await brotli(data, {
      params: {
        [c.BROTLI_PARAM_QUALITY]: c.BROTLI_MAX_QUALITY,
        [c.BROTLI_PARAM_LGWIN]: c.BROTLI_MAX_WINDOW_BITS,
        [c.BROTLI_PARAM_MODE]: c.BROTLI_MODE_TEXT,
        [c.BROTLI_PARAM_SIZE_HINT]: data.length,
      },
    });
    const gz = await gzip(data, { level: c.Z_BEST_COMPRESSION });
    await writeFile(`${dest}.br`, br);
    await writeFile(`${dest}.gz`, gz);
    sizes.set(name, { raw: data.length, br: br.length, gz: gz.length });
  }
  return sizes;
}

/** report prints the sizes and refuses a bundle above its target. */
export function report(sizes) {
  const kb = (n) => `${(n / 1000).toFixed(1)} kB`.padStart(10);
  console.log(`${'file'.padEnd(28)}${'raw'.padStart(10)}${'br'.padStart(10)}${'gz'.padStart(10)}`);
  for (const [name, s] of [...sizes].sort()) console.log(name.padEnd(28) + kb(s.raw) + kb(s.br) + kb(s.gz));
  const bundle = sizes.get('v1/map.js').br + sizes.get('v1/map.css').br;
  console.log(`map.js + map.css: ${kb(bundle).trim()} of ${kb(target).trim()} (brotli)`);
  if (bundle > target) {
    console.error('The browser bundle is larger than its target: see scripts/pack.mjs.');
    process.exitCode = 1;
  }
}
