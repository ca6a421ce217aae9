import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { firstLoad, report, target } from '../scripts/weight.mjs';

const manifest = {
  'index.html': { file: 'a.js', isEntry: true, imports: ['_b'], css: ['a.css'] },
  _b: { file: 'b.js' },
  'src/x.tsx': { file: 'lazy.js' },
};

test('the first load is the entry and what it imports', () => {
  expect(firstLoad(manifest).sort()).toEqual(['a.css', 'a.js', 'b.js', 'index.html']);
});

test('a first load above the target fails the build', () => {
  const sizes = (main: number) =>
    new Map(['index.html', 'a.js', 'b.js', 'a.css', 'lazy.js'].map((f) => [f, { br: f === 'a.js' ? main : 1 }]));
  report(sizes(10), manifest);
  expect(process.exitCode ?? 0).toBe(0);
  report(sizes(target), manifest);
  expect(process.exitCode).toBe(1);
  process.exitCode = 0;
});
