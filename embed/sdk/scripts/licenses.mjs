import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * licenses is the text that goes with the bundle: every package that is in it,
 * directly or inside another, with its licence.
 */
export async function licenses(root, manifest) {
  const found = new Map();
  await collect(root, Object.keys(manifest.dependencies), found);
  const names = [...found.keys()].sort();
  const parts = names.map((n) => {
    const { version, license, text } = found.get(n);
    return `${'='.repeat(72)}\n${n} ${version}: ${license}\n${'='.repeat(72)}\n\n${text.trim()}\n`;
  });
  return `Third-party software in /v1/map.js and /v1/map.umd.js.\n\n${parts.join('\n')}`;
}

async function collect(from, names, found) {
  for (const name of names) {
    if (found.has(name) || name.startsWith('@types/')) continue; // types leave nothing in the bundle
    const dir = await locate(from, name);
    const pkg = JSON.parse(await readFile(path.join(dir, 'package.json'), 'utf8'));
    found.set(name, { version: pkg.version, license: pkg.license ?? 'see below', text: await text(dir, pkg) });
    await collect(dir, Object.keys(pkg.dependencies ?? {}), found);
  }
}

/** locate finds a package as Node does: beside, then above, the one that needs it. */
async function locate(from, name) {
  for (let at = from; ; at = path.dirname(at)) {
    const dir = path.join(at, 'node_modules', name);
    if (
      await stat(dir).then(
        () => true,
        () => false,
      )
    )
      return dir;
    if (at === path.dirname(at)) throw new Error(`${name} is not installed: run npm ci`);
  }
}

async function text(dir, pkg) {
  const file = (await readdir(dir)).find((f) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(f));
  if (file) return readFile(path.join(dir, file), 'utf8');
  const author = typeof pkg.author === 'string' ? pkg.author : (pkg.author?.name ?? 'its authors');
  return `Copyright ${author}. Licensed under ${pkg.license}; the package carries no licence file.`;
}
