import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: a script
import { faultsOf, sources } from '../scripts/check.mjs';

test('a line and a file may be so long and no longer', () => {
  expect(faultsOf('a.ts', `${'x'.repeat(140)}\n`)).toEqual([]);
  expect(faultsOf('a.ts', `\n${'x'.repeat(141)}\n`)).toHaveLength(1);
  expect(faultsOf('a.ts', 'x\n'.repeat(400))).toEqual([]);
  expect(faultsOf('a.ts', 'x\n'.repeat(401))).toEqual([expect.stringContaining('split it')]);
});

test('every source keeps to that', async () => {
  const files = (await sources()) as string[];
  expect(files.length).toBeGreaterThan(200);
  const root = path.resolve(import.meta.dirname, '..');
  for (const file of files) expect(faultsOf(file, await readFile(path.join(root, file), 'utf8'))).toEqual([]);
});
