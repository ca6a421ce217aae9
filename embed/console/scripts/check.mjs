// The measures of the sources that no linter takes: lines of 140 characters and files of 400 lines at most.
// Import circles are Biome's (noImportCycles). Words (locales) are data: a sentence is one line.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const longestLine = 140;
const longestFile = 400;
const made = 'src/shell/api/schema.d.ts';

/** What is wrong with a file, a sentence each. */
export function faultsOf(name, text) {
  const lines = text.replace(/\n$/, '').split('\n');
  const faults = lines.flatMap((line, i) =>
    line.length > longestLine ? [`${name}:${i + 1} has ${line.length} characters, more than ${longestLine}: break it`] : [],
  );
  if (lines.length > longestFile) faults.push(`${name} has ${lines.length} lines, more than ${longestFile}: split it`);
  return faults;
}

/** The sources of the console, below its folder. */
export async function sources() {
  const found = [];
  for (const dir of ['src', 'test', 'scripts']) {
    for (const name of await readdir(path.join(root, dir), { recursive: true })) {
      const file = path.join(dir, name);
      if (/\.(ts|tsx|mjs|css)$/.test(name) && file !== made) found.push(file);
    }
  }
  return found;
}

if (process.argv[1] === import.meta.filename) {
  const faults = [];
  for (const file of await sources()) faults.push(...faultsOf(file, await readFile(path.join(root, file), 'utf8')));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
