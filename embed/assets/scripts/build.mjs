// Makes everything in dist: npm run build.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildFonts } from './fonts.mjs';
import { buildLicenses } from './licenses.mjs';
import { dist } from './out.mjs';
import { buildSprites } from './sprites.mjs';
import { buildStyles, images, templates } from './styles.mjs';
import { buildWorld } from './world.mjs';

const placeholder = 'README.txt'; // the only committed file

for (const name of readdirSync(dist)) {
  if (name !== placeholder) rmSync(path.join(dist, name), { recursive: true });
}

const styles = templates();
const used = images(styles.map((s) => s.template.layers));
const ids = (...sheets) => [...new Set(sheets.flatMap((s) => [...(used[s] ?? [])]))].filter((id) => id !== '');

const steps = {
  world: () => buildWorld(),
  styles: () => buildStyles(styles),
  sprites: () => buildSprites(ids('base'), ids('places', 'places-sdf')),
  fonts: () => buildFonts(),
  // Last: its presence says that the others are whole.
  licenses: () => buildLicenses(),
};
for (const [name, step] of Object.entries(steps)) console.log(`${name}: ${await step()}`);
