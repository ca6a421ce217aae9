// Writes geo/country/countries.json.gz, which is committed because tests and the
// program need it without a build of the assets: node scripts/countries.mjs.
//
// The outlines of Natural Earth (public domain, 1:50 million) as the package
// world-atlas carries them, simplified, and the names of countries:
//   [{iso, names: {en, ru, uz, uz-Cyrl}, rings: [[x, y, dx, dy, ...]]}]
// in hundredths of a degree, each ring closed by its reader. A point is inside
// when it is inside an odd number of rings.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { feature } from 'topojson-client';
import { flatten, letters, names, topology } from './world.mjs';

const unit = 100; // stored coordinates are degrees times this
const tolerance = 0.03; // degrees that an outline may leave the source by

/** Douglas and Peucker, on a ring without the repetition of its first point. */
function simplified(points) {
  const kept = new Uint8Array(points.length);
  const stack = [[0, points.length - 1]];
  kept[0] = kept[points.length - 1] = 1;
  while (stack.length > 0) {
    const [from, to] = stack.pop();
    const [ax, ay] = points[from];
    const [dx, dy] = [points[to][0] - ax, points[to][1] - ay];
    const length = Math.hypot(dx, dy);
    let [worst, at] = [tolerance, -1];
    for (let i = from + 1; i < to; i++) {
      const [px, py] = [points[i][0] - ax, points[i][1] - ay];
      const off = length > 0 ? Math.abs(px * dy - py * dx) / length : Math.hypot(px, py);
      if (off > worst) [worst, at] = [off, i];
    }
    if (at < 0) continue;
    kept[at] = 1;
    stack.push([from, at], [at, to]);
  }
  return points.filter((_, i) => kept[i]);
}

/** Hundredths of a degree, each point as the way from the one before. */
function packed(ring) {
  const out = [];
  let [x, y] = [0, 0];
  for (const [lon, lat] of simplified(ring)) {
    const [nx, ny] = [Math.round(lon * unit), Math.round(lat * unit)];
    if (out.length === 0 || nx !== x || ny !== y) out.push(nx - x, ny - y);
    [x, y] = [nx, ny];
  }
  return out;
}

const source = topology('50m');
const countries = new Map();
for (const f of feature(source, source.objects.countries).features) {
  const iso = letters(f);
  if (!iso) continue;
  const rings = flatten(f)
    .rings.map(packed)
    .filter((r) => r.length >= 6);
  const { name, ...rest } = names(iso);
  const c = countries.get(iso) ?? { iso, names: rest, rings: [] };
  c.rings.push(...rings);
  countries.set(iso, c);
}
const list = [...countries.values()].sort((a, b) => (a.iso < b.iso ? -1 : 1));
const out = gzipSync(JSON.stringify(list), { level: 9 });
writeFileSync(new URL('../../../geo/country/countries.json.gz', import.meta.url), out);
console.log(`${list.length} countries, ${list.flatMap((c) => c.rings).reduce((n, r) => n + r.length / 2, 0)} points, ${out.length} bytes`);
