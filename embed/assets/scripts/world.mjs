// The outline of the world for the zooms where a country's own data says
// nothing about its neighbours: land, borders and the names of countries, from
// Natural Earth (public domain) as the package world-atlas carries it.
//
// The result is world/world.json.gz:
//   version    1
//   levels     [{maxzoom, land: [ring], borders: [line]}], coarse to fine. Rings
//              and lines are flat lists lon, lat, lon, lat in 1e-4 degrees, cut
//              at ±180 and within ±85.0511. Land is filled by the even-odd rule.
//   countries  [{iso, lon, lat, area, names}], lon and lat (1e-4 degrees) inside
//              the largest part of the country, area in square kilometres
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { geoArea, geoEquirectangular, geoPath } from 'd3-geo';
import polylabel from 'polylabel';
import { feature, mesh } from 'topojson-client';
import { packageFolder, writeGzip } from './out.mjs';

const unit = 1e4; // stored coordinates are degrees times this
const maxLat = 85.0511; // where the web's Mercator square ends
const earthRadius = 6371.0088; // mean, kilometres

/** The levels: the resolution of Natural Earth and the last zoom it is drawn at. */
const levels = [
  { resolution: '110m', maxzoom: 2 },
  { resolution: '50m', maxzoom: 10 },
];

/** Languages of names: our key beside the one of the language data. */
const languages = { en: 'en', ru: 'ru', uz: 'uz-Latn', 'uz-Cyrl': 'uz-Cyrl' };

/**
 * The plane of degrees, without bent lines. Its clipping is what cuts at the
 * antimeridian: the source joins what it had cut there, and Antarctica goes
 * around the pole.
 */
const plane = geoEquirectangular()
  .scale(180 / Math.PI)
  .translate([0, 0])
  .precision(0);

/** Collects what a drawing draws: lists of points, closed or not. */
class Collector {
  rings = [];
  lines = [];
  #points = [];

  moveTo(x, y) {
    this.#end(this.lines);
    this.#points = [[x, y]];
  }

  lineTo(x, y) {
    this.#points.push([x, y]);
  }

  closePath() {
    this.#end(this.rings);
  }

  arc() {} // points are not drawn

  /** Ends the last open line. */
  finish() {
    this.#end(this.lines);
    return this;
  }

  #end(list) {
    if (this.#points.length > 1) list.push(this.#points.map(([x, y]) => [x, -y])); // screens count down, latitudes up
    this.#points = [];
  }
}

export function flatten(geometry) {
  const out = new Collector();
  geoPath(plane, out)(geometry);
  return out.finish();
}

/** Rounds to whole units within the square, and drops points that fall together. */
function stored(points) {
  const out = [];
  for (const [lon, lat] of points) {
    const x = Math.round(Math.max(-180, Math.min(180, lon)) * unit);
    const y = Math.round(Math.max(-maxLat, Math.min(maxLat, lat)) * unit);
    if (out.length < 2 || out.at(-2) !== x || out.at(-1) !== y) out.push(x, y);
  }
  return out;
}

/** The shoelace sum of a stored ring; zero for what rounding made flat. */
function area2(ring) {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += ring[i] * ring[j + 1] - ring[j] * ring[i + 1];
  }
  return sum;
}

/** A ring without the repetition of its first point. */
function open(ring) {
  const closed = ring.length > 2 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1);
  return closed ? ring.slice(0, -2) : ring;
}

export function topology(resolution) {
  return JSON.parse(readFileSync(path.join(packageFolder('world-atlas'), `countries-${resolution}.json`)));
}

function level({ resolution, maxzoom }) {
  const source = topology(resolution);
  const borders = mesh(source, source.objects.countries, (a, b) => a !== b);
  return {
    maxzoom,
    land: flatten(feature(source, source.objects.land))
      .rings.map(stored)
      .map(open)
      .filter((r) => r.length >= 6 && area2(r) !== 0),
    borders: flatten(borders)
      .lines.map(stored)
      .filter((l) => l.length >= 4),
  };
}

/** Two-letter codes in common use for what has no number in ISO 3166. */
const unnumbered = { Kosovo: 'XK' };

/** The two letters of a country for the three digits that the source has, or nothing. */
export function letters({ id, properties }) {
  if (!/^\d{3}$/.test(id ?? '')) return unnumbered[properties.name];
  const region = new Intl.Locale(`und-${id}`).region;
  return /^[A-Z]{2}$/.test(region) ? region : undefined;
}

/** Uzbek is written with ʻ after o and g and ʼ elsewhere; the source mixes in quotation marks. */
function uzbek(name) {
  return name.replace(/([OoGg])[\u0027\u0060\u2018\u2019]/g, '$1ʻ').replace(/[\u0027\u0060\u2018\u2019]/g, 'ʼ');
}

/** Whose long names say what kind of region they are, not what they are called. */
const short = new Set(['HK', 'MO', 'PS']);

export function names(iso) {
  const out = {};
  for (const [key, tag] of Object.entries(languages)) {
    const name = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none', style: short.has(iso) ? 'short' : 'long' }).of(iso);
    if (name) out[key] = (key === 'uz' ? uzbek(name) : name).normalize('NFC');
  }
  return { name: out.en, ...out };
}

/** The point furthest inside the largest part, as the map's projection shows it. */
function labelPoint(rings) {
  const mercator = ([lon, lat]) => [
    lon,
    (180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (Math.max(-85, Math.min(85, lat)) * Math.PI) / 360)),
  ];
  const flat = rings.map((r) => r.map(mercator));
  const sizes = flat.map((r) => Math.abs(area2(r.flat())));
  const largest = Math.max(...sizes);
  const precision = Math.sqrt(largest) / 200; // degrees: a small island needs less than a continent
  const [x, y] = polylabel([flat[sizes.indexOf(largest)]], precision);
  const lat = (360 / Math.PI) * Math.atan(Math.exp((y * Math.PI) / 180)) - 90;
  return [Math.round(x * unit), Math.round(lat * unit)];
}

/**
 * Countries and territories that have a code, by code. An area without one has
 * no label: whose it is is not for an outline to say.
 */
function countryList() {
  const source = topology('50m');
  const out = new Map();
  for (const f of feature(source, source.objects.countries).features) {
    const iso = letters(f);
    if (!iso) continue;
    const area = Math.round(geoArea(f) * earthRadius * earthRadius);
    if (out.has(iso) && out.get(iso).area >= area) continue; // a territory under its owner's code
    const [lon, lat] = labelPoint(flatten(f).rings);
    out.set(iso, { iso, lon, lat, area, names: names(iso) });
  }
  return [...out.values()].sort((a, b) => (a.iso < b.iso ? -1 : 1));
}

/** Fails when the machine's Node has no names in the languages that the map speaks. */
function check(countries) {
  const uz = countries.find((c) => c.iso === 'UZ')?.names;
  if (uz?.uz !== 'Oʻzbekiston' || uz['uz-Cyrl'] !== 'Ўзбекистон' || uz.ru !== 'Узбекистан') {
    throw new Error(
      `this Node has no Uzbek and Russian country names (got ${JSON.stringify(uz)}): use an official build of Node with full ICU`,
    );
  }
}

/** Builds dist/world. */
export function buildWorld() {
  const countries = countryList();
  check(countries);
  writeGzip('world/world.json.gz', JSON.stringify({ version: 1, levels: levels.map(level), countries }));
  return `${countries.length} countries`;
}
