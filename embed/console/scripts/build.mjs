// Builds the console into dist/, compressed as the server sends it. Plain copies for
// reading are in build/.
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { licenses } from '../../sdk/scripts/licenses.mjs';
import { pack } from '../../sdk/scripts/pack.mjs';
import { refuseCircles } from './circle.mjs';
import { report } from './weight.mjs';

const root = path.resolve(import.meta.dirname, '..');
const out = path.join(root, 'build');

await build({ root, configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' });
const manifestFile = path.join(out, 'manifest.json');
const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
await rm(manifestFile);
refuseCircles(manifest);
await inlineStyles();
const own = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
const [, ...texts] = (await licenses(root, own)).split('\n'); // its first line is about the map
await writeFile(path.join(out, 'LICENSES.txt'), ['Third-party software in the console.', ...texts].join('\n'));
report(await pack(out, path.join(root, 'dist')), manifest);

/**
 * The styles of the frame stand in the page: the frame is drawn without another request. The link
 * stays, disabled, which is not fetched: pages that are loaded later see that these styles are there.
 */
async function inlineStyles() {
  const page = path.join(out, 'index.html');
  const html = await readFile(page, 'utf8');
  const link = /<link rel="stylesheet"[^>]* href="\/console\/(assets\/[^"]+\.css)">/.exec(html);
  if (!link) throw new Error('index.html has no stylesheet to inline');
  const css = await readFile(path.join(out, link[1]), 'utf8');
  if (/url\(|<\/style/.test(css)) throw new Error(`${link[1]} names other files: it cannot stand in the page`);
  await writeFile(
    page,
    html.replace(link[0], () => `${link[0].replace('<link ', '<link disabled ')}<style>${css}</style>`),
  );
  for (const chunk of Object.values(manifest)) if (chunk.css) chunk.css = chunk.css.filter((f) => f !== link[1]);
}
