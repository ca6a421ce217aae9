// The words of the first load: the same after they were made smaller.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import said from 'virtual:nav';
import { compact } from '../scripts/nav';

const src = path.resolve(import.meta.dirname, '../src');
const read = (folder: string, language: string) =>
  JSON.parse(readFileSync(path.join(src, folder, 'locales', `${language}.json`), 'utf8')) as Record<string, unknown>;

test.each(['uz', 'ru', 'en'])('%s says in the first load what its files say', (language) => {
  const folders = readdirSync(src).filter((f) => existsSync(path.join(src, f, 'locales')));
  const nav = Object.fromEntries(folders.map((f) => [f, read(f, language).nav] as const).filter(([, words]) => words));
  expect(said[language]).toEqual({ nav, 'shell/frame': read('shell/frame', language) });
});

test('a form that one language alone has stays its own, and a word of two lines is refused', () => {
  const words = { uz: { a: { one: 'bir', other: 'koʻp' } }, ru: { a: { one: 'один', few: '«два»', other: 'много' }, b: 'e`f' } };
  const made = new Function(compact(words).replace('export default', 'return '));
  expect(made()).toEqual(words);
  expect(() => compact({ uz: { a: 'x\ny' } })).toThrow('two lines');
});
