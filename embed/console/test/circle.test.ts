import { expect, it } from 'vitest';
// @ts-expect-error a script without types
import { circle } from '../scripts/circle.mjs';

const files = (imports: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(imports).map(([name, of]) => [name, { file: `${name}.js`, imports: of }]));

it('finds built files that need each other, however many stand between them', () => {
  expect(circle(files({ a: ['b', 'd'], b: ['c'], c: ['b'], d: [] }))).toEqual(['b.js', 'c.js']);
  expect(circle(files({ a: ['b'], b: ['c'], c: ['a'] }))).toEqual(['a.js', 'b.js', 'c.js']);
  expect(circle(files({ a: ['a'] }))).toEqual(['a.js']);
});

it('takes a file that several need for no circle', () => {
  expect(circle(files({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toBeNull();
});
