import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const id = 'virtual:nav';

/**
 * nav makes the module "virtual:nav" of the key "nav" of every file of words: the
 * names of pages and commands, which the frame needs in the first load, while the
 * rest of a feature's words comes with its pages, and of the words of the shell.
 */
export function nav(root: string): Plugin {
  return {
    name: 'nav',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    async load(source) {
      if (source !== `\0${id}`) return null;
      const out: Record<string, { nav: Record<string, unknown>; shell?: unknown }> = {};
      for (const feature of await readdir(root)) {
        const dir = path.join(root, feature, 'locales');
        for (const file of await readdir(dir).catch(() => [])) {
          this.addWatchFile(path.join(dir, file));
          const words = JSON.parse(await readFile(path.join(dir, file), 'utf8')) as { nav?: unknown };
          const language = (out[path.basename(file, '.json')] ??= { nav: {} });
          if (words.nav) language.nav[feature] = words.nav;
          if (feature === 'shell') language.shell = words;
        }
      }
      return `export default ${JSON.stringify(out)};`;
    },
  };
}
