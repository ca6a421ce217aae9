// What the first page weighs.

/**
 * What the frame with its navigation needs, Brotli, in bytes: under a second at 1.6 Mbit/s. The aim is 150 kB; one more
 * entry of the navigation fits between.
 */
export const target = 152_000;

/** The files that the frame needs: the entry and what it imports. */
export function firstLoad(manifest) {
  // The entry is written into the page when all that it does is import the one file.
  const entry = Object.values(manifest).find((f) => f.isEntry) ?? Object.values(manifest).find((f) => f.name === 'first');
  const files = new Set(['index.html']);
  const walk = (chunk) => {
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const name of chunk.imports ?? []) walk(manifest[name]);
  };
  walk(entry);
  return [...files];
}

/** report prints the figure beside its target and refuses a first load above it. */
export function report(sizes, manifest) {
  const kb = (n) => `${(n / 1000).toFixed(1)} kB`;
  const files = firstLoad(manifest);
  const worst = files.reduce((sum, name) => sum + sizes.get(name).br, 0);
  console.log(`console, first load: ${files.length} files, ${kb(worst)} of ${kb(target)} (brotli)`);
  const all = [...sizes.values()].reduce((sum, s) => sum + s.br, 0);
  console.log(`console, all of it: ${sizes.size} files, ${kb(all)}`);
  if (worst > target) {
    console.error('The first load of the console is larger than its target: load lazily what the first page does not show.');
    process.exitCode = 1;
  }
  return worst;
}
