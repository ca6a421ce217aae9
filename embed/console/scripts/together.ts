import path from 'node:path';
import type { Plugin } from 'vite';

const prefix = 'virtual:together/';

/**
 * together makes one file of modules that are imported when they are needed, each by itself, but
 * on the same page: a request costs a slow line more than a few kilobytes. Who imports them writes
 * import('./Module') as always; in the built console that gives the module out of the file of its
 * group. files: for each group its modules, below root.
 */
export function together(root: string, groups: Readonly<Record<string, readonly string[]>>): Plugin {
  const groupOf = new Map(
    Object.entries(groups).flatMap(([name, files]) => files.map((f, i) => [path.join(root, f), { name, i }] as const)),
  );
  return {
    name: 'together',
    apply: 'build',
    enforce: 'post',
    resolveId: (source) => (source.startsWith(prefix) ? `\0${source}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const files = groups[id.slice(prefix.length + 1)] ?? [];
      return files.map((f, i) => `export * as m${i} from ${JSON.stringify(path.join(root, f))};`).join('\n');
    },
    async transform(code, id) {
      if (!id.startsWith(path.join(root, 'src')) || !code.includes('import(')) return null;
      let out = code;
      for (const [text, to] of code.matchAll(/\bimport\((["'][^"']+["'])\)/g)) {
        const found = await this.resolve(to!.slice(1, -1), id);
        const group = found && groupOf.get(found.id);
        if (group) out = out.replace(text, `import(${JSON.stringify(prefix + group.name)}).then((m) => m.m${group.i})`);
      }
      return out === code ? null : { code: out, map: null };
    },
  };
}
