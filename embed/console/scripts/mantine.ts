import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const id = 'virtual:mantine.css';

/**
 * mantineStyles makes the stylesheet "virtual:mantine.css" of the components of
 * @mantine/core that the sources use, with those that they are made of, in Mantine's
 * own order. The whole sheet is 33 kB compressed; this is about half.
 */
export function mantineStyles(root: string): Plugin {
  const core = path.join(root, 'node_modules/@mantine/core');
  return {
    name: 'mantine-styles',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    async load(source) {
      if (source !== `\0${id}`) return null;
      const used = await closure(core, await imported(path.join(root, 'src')));
      const order = (await readFile(path.join(core, 'styles.css'), 'utf8')).replace(/\s/g, '');
      const sheets = [];
      for (const name of ['global', 'default-css-variables', 'baseline', 'InlineInput', ...used]) {
        const css = await readFile(path.join(core, 'styles', `${name}.css`), 'utf8').catch(() => '');
        const own = /\.m_[0-9a-f]+/.exec(css)?.[0];
        if (css) sheets.push({ css, at: own ? order.indexOf(own) : -1 });
      }
      return sheets.sort((a, b) => a.at - b.at).map((s) => s.css).join('\n');
    },
  };
}

/** The names that the sources import from @mantine/core, and from packages built on it. */
async function imported(dir: string): Promise<Set<string>> {
  const out = new Set(['Notification', 'Loader', 'CloseButton', 'Modal', 'Input', 'UnstyledButton', 'Highlight', 'Kbd']);
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!/\.tsx?$/.test(entry.name)) continue;
    const text = await readFile(path.join(entry.parentPath, entry.name), 'utf8');
    for (const [, names] of text.matchAll(/import\s*\{([^}]*)\}\s*from '@mantine\/core'/g)) {
      for (const name of names!.split(',')) out.add(name.trim().replace(/^type /, '').split(' as ')[0]!);
    }
  }
  return out;
}

/** With what components are made of: the folders that their modules import. */
async function closure(core: string, names: Iterable<string>): Promise<Set<string>> {
  const components = path.join(core, 'esm/components');
  const folders = new Set(await readdir(components));
  const done = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (done.has(name) || !folders.has(name)) continue;
    for (const file of await readdir(path.join(components, name), { recursive: true })) {
      if (!file.endsWith('.mjs') || file.endsWith('.module.mjs')) continue;
      done.add(path.basename(file, '.mjs')); // parts with a sheet of their own, such as CheckboxCard
      const text = await readFile(path.join(components, name, file), 'utf8');
      for (const [, to] of text.matchAll(/from "(?:\.\.\/)+([A-Z][A-Za-z]+)\//g)) open.push(to!);
    }
    done.add(name);
  }
  return done;
}
