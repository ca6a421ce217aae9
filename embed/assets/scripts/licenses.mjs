// The licences of everything in dist, in one text: dist/LICENSES.txt.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder, write } from './out.mjs';

const notices = [
  { of: 'Labels: Noto Sans', package: '@expo-google-fonts/noto-sans', file: 'LICENSE_FONT' },
  { of: 'Arrows in labels: Noto Sans Symbols', package: '@expo-google-fonts/noto-sans-symbols', file: 'LICENSE_FONT' },
  { of: 'Map styles: VersaTiles Style (the styles themselves are CC0 1.0)', package: '@versatiles/style', file: 'LICENSE.md' },
  { of: 'Icons: Maki', package: '@mapbox/maki', file: 'LICENSE.txt' },
  { of: 'Icons: Temaki', package: '@rapideditor/temaki', file: 'LICENSE.md' },
  { of: 'Outline of the world: Natural Earth (public domain), packaged by world-atlas', package: 'world-atlas', file: 'LICENSE' },
];

const rule = '='.repeat(78);

/** Builds dist/LICENSES.txt. */
export function buildLicenses() {
  const parts = notices.map(({ of, package: name, file }) => {
    const folder = packageFolder(name);
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json')));
    const text = readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
    return `${rule}\n${of}\n${name} ${version}\n${rule}\n\n${text}\n`;
  });
  write('LICENSES.txt', `Fonts, icons, styles and outlines that the map carries, and their licences.\n\n${parts.join('\n')}`);
  return `${notices.length} licences`;
}
