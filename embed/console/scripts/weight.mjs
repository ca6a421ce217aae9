// What the first page weighs.

/** Everything that the first page needs, Brotli, in bytes (design, "What people expect"). */
export const target = 250_000;

/** The files that the first page needs: the entry, what it imports, and the words of one language. */
export function firstLoad(manifest, language) {
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
  walk(manifest[`src/shell/locales/${language}.json`]);
  return [...files];
}

/** report prints the figure beside its target and refuses a first load above it. */
export function report(sizes, manifest) {
  const kb = (n) => `${(n / 1000).toFixed(1)} kB`;
  let worst = 0;
  for (const language of ['uz', 'ru', 'en']) {
    const files = firstLoad(manifest, language);
    const total = files.reduce((sum, name) => sum + sizes.get(name).br, 0);
    if (total > worst) worst = total;
    console.log(`console, first load in ${language}: ${files.length} files, ${kb(total)} of ${kb(target)} (brotli)`);
  }
  const all = [...sizes.values()].reduce((sum, s) => sum + s.br, 0);
  console.log(`console, all of it: ${sizes.size} files, ${kb(all)}`);
  if (worst > target) {
    console.error('The first load of the console is larger than its target: load lazily what the first page does not show.');
    process.exitCode = 1;
  }
  return worst;
}
