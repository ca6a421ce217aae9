// The words: the same keys in the three languages, each used and none missing, plural
// forms as the language has them, Uzbek by its rules.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const src = path.resolve(import.meta.dirname, '../src');
const languages = ['uz', 'ru', 'en'] as const;
const plural = /_(zero|one|two|few|many|other)$/;
const forms = { uz: ['one', 'other'], ru: ['one', 'few', 'many', 'other'], en: ['one', 'other'] };
/** Of the frame: in the first load, with a file of their own. */
const frame = 'shell/frame';
const folders = [...readdirSync(src), 'shell/codes', frame].filter((f) => existsSync(path.join(src, f, 'locales')));

type Tree = { [key: string]: string | Tree };
const flat = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([k, v]) => (typeof v === 'string' ? [[prefix + k, v] as [string, string]] : flat(v, `${prefix}${k}.`)));
const words = (folder: string, lang: string) =>
  new Map(flat(JSON.parse(readFileSync(path.join(src, folder, 'locales', `${lang}.json`), 'utf8')) as Tree));
const bases = (keys: Iterable<string>) => new Set([...keys].map((k) => k.replace(plural, '')));
const codeOf = (folder: string) =>
  readdirSync(path.join(src, folder === frame ? 'shell' : folder), { recursive: true, encoding: 'utf8' })
    .filter((f) => /\.tsx?$/.test(f) && !/\.test\.tsx?$/.test(f))
    .map((f) => readFileSync(path.join(src, folder === frame ? 'shell' : folder, f), 'utf8'))
    .filter((text) => !folder.startsWith('shell') || text.includes(`'${frame}'`) === (folder === frame))
    .join('\n');

describe.each(folders)('%s', (folder) => {
  const all = Object.fromEntries(languages.map((l) => [l, words(folder, l)])) as Record<(typeof languages)[number], Map<string, string>>;
  const keys = bases(all.en.keys());
  const code = codeOf(folder);

  test('has the same keys in the three languages', () => {
    for (const l of languages) expect([...bases(all[l].keys())].sort(), l).toEqual([...keys].sort());
  });

  test('has the plural forms of each language', () => {
    for (const l of languages) {
      for (const base of bases([...all[l].keys()].filter((k) => plural.test(k)))) {
        const have = [...all[l].keys()].filter((k) => plural.test(k) && k.replace(plural, '') === base).map((k) => plural.exec(k)![1]);
        expect(have.sort(), `${l} ${base}`).toEqual([...forms[l]].sort());
      }
    }
  });

  test('names the same values in each language', () => {
    const names = (s: string) => [...s.matchAll(/\{\{\s*(\w+)/g)].map((m) => m[1]).sort();
    for (const l of languages) {
      for (const [key, text] of all[l]) {
        const other = all.en.get(key) ?? all.en.get(key.replace(plural, '_other'))!;
        expect(names(text), `${l} ${key}`).toEqual(names(other));
      }
    }
  });

  test('writes Uzbek with the letters of its alphabet', () => {
    for (const [key, text] of all.uz) {
      expect(text, key).not.toMatch(/['‘’`´]/);
      expect(text, key).not.toMatch(/[OoGg][ʼ]/); // oʻ and gʻ have U+02BB
      expect(text, key).not.toMatch(/[^OoGg]ʻ/); // and the tutuq is U+02BC
      expect(text, key).not.toMatch(/[А-Яа-яЁё]/);
    }
  });

  test('has a word for every key that the code asks for', () => {
    for (const [, asked] of code.matchAll(/\bt\(\s*'([\w.]+)'/g)) expect(keys.has(asked!) || asked!.startsWith('nav'), asked).toBe(true);
  });

  test('has no word that nobody asks for', () => {
    const literal = new Set([...code.matchAll(/['"`]([\w.]+)['"`]/g)].map((m) => m[1]!));
    const beginnings = [...code.matchAll(/`(?:shell:)?([\w.]+\.)(?:\$\{[^}]*\}[\w.]*)+`/g)].map((m) => m[1]!);
    for (const key of keys) {
      const used =
        literal.has(key) ||
        beginnings.some((b) => key.startsWith(b)) ||
        (key.startsWith('nav.') && literal.has(key.slice(4))) ||
        code.includes(`'shell:${key}'`);
      expect(
        used || (folder.startsWith('shell') && /^(errors|said|wrong|markup|name|limit|code|value|thing|change)\./.test(key)),
        key,
      ).toBe(true);
    }
  });
});
