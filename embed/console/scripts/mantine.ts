import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const first = 'virtual:mantine.css';
const rest = 'virtual:mantine-pages.css';

/**
 * mantineStyles makes two stylesheets of the components of @mantine/core that the
 * sources use, with those that they are made of, in Mantine's own order:
 * "virtual:mantine.css" of what the frame uses, which is in the first load, and
 * "virtual:mantine-pages.css" of what only lists and pages use, which comes with the
 * first of them. What a component is made of is never in a later sheet than itself.
 */
export function mantineStyles(root: string): Plugin {
  const core = path.join(root, 'node_modules/@mantine/core');
  return {
    name: 'mantine-styles',
    resolveId: (source) => (source === first || source === rest ? `\0${source}` : null),
    async load(source) {
      if (source !== `\0${first}` && source !== `\0${rest}`) return null;
      const frame = await closure(core, [...always, ...(await imported(await firstFiles(path.join(root, 'src'))))]);
      const all = await closure(core, [...always, ...blocks, ...(await imported(await sources(path.join(root, 'src'))))]);
      const used =
        source === `\0${first}`
          ? ['global', 'default-css-variables', 'baseline', ...frame]
          : ['InlineInput', ...[...all].filter((name) => !frame.has(name))];
      const order = (await readFile(path.join(core, 'styles.css'), 'utf8')).replace(/\s/g, '');
      const sheets = [];
      for (const name of used) {
        const css = await readFile(path.join(core, 'styles', `${name}.css`), 'utf8').catch(() => '');
        const own = /\.m_[0-9a-f]+/.exec(css)?.[0];
        if (css) sheets.push({ css, at: own ? order.indexOf(own) : -1 });
      }
      return sheets
        .sort((a, b) => a.at - b.at)
        .map((s) => s.css)
        .join('\n');
    },
  };
}

/** What packages built on @mantine/core need of it: its notifications, dates and the palette, all of them later. */
const always = ['Loader', 'CloseButton', 'UnstyledButton'];
const blocks = ['Notification', 'Modal', 'Input', 'Highlight', 'Kbd'];

async function sources(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((e) => /\.tsx?$/.test(e.name)).map((e) => path.join(e.parentPath, e.name));
}

/** The files of the first load: what main.tsx imports, and they, without what is imported when it is needed. */
async function firstFiles(src: string): Promise<string[]> {
  const known = new Set(await sources(src));
  const done = new Set<string>();
  const open = [path.join(src, 'main.tsx')];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (done.has(file)) continue;
    done.add(file);
    const text = await readFile(file, 'utf8');
    for (const [, to] of text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'/gm)) {
      const base = to!.startsWith('@shell') ? path.join(src, 'shell', to!.slice('@shell'.length)) : path.resolve(path.dirname(file), to!);
      const found = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => base + end).find((f) => known.has(f));
      if (found) open.push(found);
    }
  }
  return [...done];
}

/** The names that files import from @mantine/core. */
async function imported(files: readonly string[]): Promise<Set<string>> {
  const out = new Set<string>();
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    for (const [, names] of text.matchAll(/import\s*\{([^}]*)\}\s*from '@mantine\/core'/g)) {
      for (const name of names!.split(','))
        out.add(
          name
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0]!,
        );
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
