import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const id = 'virtual:nav';
const frame = 'shell/frame';

/**
 * nav makes the module "virtual:nav" of the key "nav" of every file of words: the
 * names of pages and commands, and of the words of the frame itself: what the first load
 * needs in every language. The rest of the words of a feature, and of the shell, comes with what uses it.
 */
export function nav(root: string): Plugin {
  return {
    name: 'nav',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    async load(source) {
      if (source !== `\0${id}`) return null;
      const out: Record<string, { nav: Record<string, unknown>; [frame]?: unknown }> = {};
      for (const feature of await readdir(root)) {
        const dir = path.join(root, feature, 'locales');
        for (const file of await readdir(dir).catch(() => [])) {
          this.addWatchFile(path.join(dir, file));
          const words = JSON.parse(await readFile(path.join(dir, file), 'utf8')) as { nav?: unknown };
          const language = (out[path.basename(file, '.json')] ??= { nav: {} });
          if (words.nav) language.nav[feature] = words.nav;
        }
      }
      for (const [language, words] of Object.entries(out)) {
        const file = path.join(root, frame, 'locales', `${language}.json`);
        this.addWatchFile(file);
        words[frame] = JSON.parse(await readFile(file, 'utf8'));
      }
      return compact(out);
    },
  };
}

type Tree = { [key: string]: Tree | string };
/** The keys of words: 0 stands for a word. */
type Shape = { [key: string]: Shape | 0 };

/**
 * compact is a module of the words of all languages, by language. The keys stand in it once, and what a language says for
 * them as one text: the three languages weigh a kilobyte less than as three objects.
 */
export function compact(words: Record<string, unknown>): string {
  const trees = Object.values(words) as Tree[];
  const shape = shapeOf(trees);
  const texts = Object.entries(words).map(([language, tree]) => `${JSON.stringify(language)}:fill(shape,${textOf(shape, tree as Tree)})`);
  return `const shape=${JSON.stringify(shape)};
const fill = (shape, text) => {
  const said = text.split("\\n");
  const take = (shape) => {
    const out = {};
    for (const key in shape) {
      const word = shape[key] ? take(shape[key]) : said.shift();
      if (word) out[key] = word;
    }
    return out;
  };
  return take(shape);
};
export default{${texts.join(',')}};`;
}

/** The keys that any of the trees has. */
function shapeOf(trees: readonly Tree[]): Shape {
  const out: Shape = {};
  for (const key of new Set(trees.flatMap((t) => Object.keys(t)))) {
    const below = trees.map((t) => t[key]).filter((v): v is Tree => typeof v === 'object');
    out[key] = below.length > 0 ? shapeOf(below) : 0;
  }
  return out;
}

/** What a tree says, word by word; nothing for a word that it has not. */
function textOf(shape: Shape, tree: Tree): string {
  const said = (shape: Shape, tree: Tree): string[] =>
    Object.entries(shape).flatMap(([key, below]) => (below ? said(below, (tree[key] ?? {}) as Tree) : [(tree[key] ?? '') as string]));
  const all = said(shape, tree);
  if (all.some((word) => word.includes('\n'))) throw new Error('a word of the frame has two lines');
  return JSON.stringify(all.join('\n'));
}
