// Holds values against the words of the console in the three languages.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export const languages = ['uz', 'ru', 'en'] as const;
type Tree = { [key: string]: string | Tree };

export function words(folder: string, language: string): Set<string> {
  const tree = JSON.parse(readFileSync(path.resolve(import.meta.dirname, `../src/${folder}/locales/${language}.json`), 'utf8')) as Tree;
  const flat = (t: Tree, prefix: string): string[] =>
    Object.entries(t).flatMap(([k, v]) => (typeof v === 'string' ? [prefix + k] : flat(v, `${prefix}${k}.`)));
  return new Set(flat(tree, ''));
}

/** Holds values against the words of a folder; key makes the key of a value. */
export function haveWords(values: readonly string[], folders: readonly string[], key: (value: string) => string): void {
  expect(values.length).toBeGreaterThan(0);
  for (const language of languages) {
    const known = folders.map((f) => words(f, language));
    const missing = values.filter((v) => !known.some((k) => k.has(key(v)) || k.has(`${key(v)}_other`)));
    expect(missing, `${folders.join(', ')} in ${language}`).toEqual([]);
  }
}
