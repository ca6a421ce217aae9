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
      return `export default ${JSON.stringify(out)};`;
    },
  };
}
