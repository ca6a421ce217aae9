// Builds the browser bundle and the map's page into dist/, compressed as the
// server sends them. Plain copies for reading are in build/.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { generateDtsBundle } from 'dts-bundle-generator';
import { trimMapLibre } from './css.mjs';
import { licenses } from './licenses.mjs';
import { pack, report } from './pack.mjs';

const root = path.resolve(import.meta.dirname, '..');
const out = path.join(root, 'build');
const dist = path.join(root, 'dist');
const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
const maplibre = JSON.parse(await readFile(path.join(root, 'node_modules/maplibre-gl/package.json'), 'utf8'));

const common = {
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  define: { __VERSION__: JSON.stringify(manifest.version) },
};

/** One form of the bundle: an ES module, or a script that makes the global SvcMap. */
const bundle = (entry, format, fileName) =>
  build({
    ...common,
    // A classic script has no import.meta; MapLibre reads it only to find a worker that we bring along.
    define: { ...common.define, ...(format === 'umd' && { 'import.meta.url': '""' }) },
    plugins: [trimMapLibre()],
    build: {
      target: 'es2022',
      outDir: path.join(out, 'v1'),
      emptyOutDir: false,
      minify: true,
      reportCompressedSize: false,
      lib: { entry, formats: [format], name: 'SvcMap', fileName: () => fileName, cssFileName: 'map' },
      rolldownOptions: { output: { comments: { legal: true }, minify: true } },
    },
  });

/** The page imports the same bundle that everybody gets, under an address that changes with it. */
const page = (mapUrl) =>
  build({
    ...common,
    plugins: [
      {
        name: 'the-bundle-we-serve',
        enforce: 'pre',
        resolveId: (id) => (id === 'svc-map' ? { id: mapUrl, external: true } : null),
      },
    ],
    build: {
      target: 'es2022',
      outDir: path.join(out, 'app'),
      emptyOutDir: true,
      minify: true,
      reportCompressedSize: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      cssCodeSplit: true,
      rolldownOptions: {
        input: { main: path.join(root, 'app/src/main.ts') },
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
        },
      },
    },
  });

const hash = (...parts) =>
  parts
    .reduce((h, p) => h.update(p), createHash('sha256'))
    .digest('hex')
    .slice(0, 10);

/** Writes the HTML of the page; every address in it is relative, so it works below a path too. */
async function html(output, version) {
  const main = output.find((f) => f.type === 'chunk' && f.isEntry);
  const css = output.find((f) => f.fileName.endsWith('.css'));
  const template = await readFile(path.join(root, 'app/index.html'), 'utf8');
  return template
    .replaceAll('{{app.js}}', `app/${main.fileName}`)
    .replaceAll('{{app.css}}', `app/${css.fileName}`)
    .replaceAll('{{map.js}}', `v1/map.js?v=${version}`)
    .replaceAll('{{map.css}}', `v1/map.css?v=${version}`);
}

await rm(out, { recursive: true, force: true });
await mkdir(path.join(out, 'v1'), { recursive: true });
await bundle(path.join(root, 'src/umd.ts'), 'umd', 'map.umd.js');
await bundle(path.join(root, 'src/index.ts'), 'es', 'map.js');

const v1 = (name) => path.join(out, 'v1', name);
const [declarations] = generateDtsBundle([{ filePath: path.join(root, 'src/exports.ts'), output: { noBanner: true } }], {
  preferredConfigPath: path.join(root, 'tsconfig.json'),
});
await writeFile(v1('map.d.ts'), `// SvcMap ${manifest.version}: the declarations of /v1/map.js.\n${declarations}`);
await writeFile(v1('version.json'), `${JSON.stringify({ sdk: manifest.version, maplibre: maplibre.version })}\n`);
await writeFile(v1('LICENSES.txt'), await licenses(root, manifest));

const version = hash(await readFile(v1('map.js')), await readFile(v1('map.css')));
const { output } = await page(`/v1/map.js?v=${version}`);
for (const f of output.filter((o) => o.type === 'chunk')) {
  const file = path.join(out, 'app', f.fileName);
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replaceAll(/(["'`])\/v1\/map\.js\?/g, '$1../v1/map.js?'));
}
await writeFile(path.join(out, 'index.html'), await html(output, version));

const sizes = await pack(out, dist);
report(sizes);
