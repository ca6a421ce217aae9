// The styles of the map, as templates: the server puts in the addresses, the key
// and the language.
//
//   styles/styles.json                  [{id, name, dark}], in the order of the list
//   styles/<schema>/<id>.json.gz        {head, attribution, labels, sprites, layers}
//
// head is a style without sources, sprite, glyphs and layers. Each layer is that
// of a style, except that a text-field "{{label}}" stands for the name in the
// language of the map: labels has the expression for each. metadata.part says
// what a request may leave out: "poi" or "hillshade". All layers with tiles read
// the source "tiles", hillshade the source "terrain". sprites are the sheets
// that the layers call for.
import { osm } from '@versatiles/style';
import { omt } from '@versatiles/style/omt';
import { protomaps } from '@versatiles/style/protomaps';
import { poiLayer } from './pois.mjs';
import { write, writeGzip } from './out.mjs';
import { keepNames, tellRoadsApart } from './tuning.mjs';

/** The styles: our id and name, the theme of the package, and how points of interest are drawn. */
export const styles = [
  { id: 'light', name: 'Light', theme: 'colorful', icons: 'discs' },
  { id: 'dark', name: 'Dark', theme: 'colorful-dark', icons: 'discs' },
  ...['natural', 'muted', 'gray', 'toner'].flatMap((theme) =>
    ['', '-dark'].map((suffix) => ({
      id: theme + suffix,
      name: theme[0].toUpperCase() + theme.slice(1) + suffix.replace('-', ' '),
      theme: theme + suffix,
      icons: theme === 'gray' || theme === 'toner' ? 'glyphs' : 'discs',
      opacity: theme === 'muted' ? 0.8 : 1,
    })),
  ),
].map((s) => ({ ...s, dark: s.theme.endsWith('-dark') }));

/**
 * The schemas of tiles: what builds a style for them, and how they spell a name
 * in a language. Tiles of ours need one credit (map contract 2); an archive of
 * another schema brings its own.
 */
const schemas = {
  shortbread: { build: osm, url: 'osm', spell: ['name_'], attribution: '© OpenStreetMap contributors' },
  openmaptiles: { build: omt, url: 'omt', spell: ['name:', 'name_'] },
  protomaps: { build: protomaps, url: 'protomaps', spell: ['name:'] },
};

/** The languages, with the names that are tried in turn before the local one (map contract 31). */
const languages = { uz: ['uz'], 'uz-Cyrl': ['uz-Cyrl', 'ru'], ru: ['ru', 'uz-Cyrl'], en: ['en', 'uz'] };

export const labelMark = '{{label}}';

const labelsFor = ({ spell }) =>
  Object.fromEntries(
    Object.entries(languages).map(([lang, tried]) => [
      lang,
      ['coalesce', ...tried.flatMap((l) => spell.map((s) => ['get', s + l])), ['get', 'name']],
    ]),
  );

/** Replaces what the package wrote for labels in some language by the mark. */
function markLabels(layers, { spell }) {
  const written = JSON.stringify(['coalesce', ...spell.map((s) => ['get', `${s}uz`]), ['get', 'name']]);
  const text = JSON.stringify(layers);
  if (!text.includes(written)) throw new Error(`the style package writes labels in another way than ${written}`);
  const marked = text.replaceAll(written, JSON.stringify(labelMark));
  if (spell.some((s) => marked.includes(`"${s}uz"`))) throw new Error('a label of the style package escaped its replacement');
  return JSON.parse(marked);
}

/** Whether a layer of the package draws points of interest. */
const isPoi = ({ id }) => /^poi(-|$)/.test(id);

const part = (layer, name) => ({ ...layer, metadata: { ...layer.metadata, part: name } });

/** Our own points of interest in front of those of the package, which keep what has no category. */
function withPlaces(layers, style) {
  const first = layers.findIndex(isPoi);
  const last = layers.findLastIndex(isPoi);
  const rest = layers.map((l) => (isPoi(l) ? { ...l, filter: ['all', l.filter, ['!', ['has', 'category']]] } : l));
  return rest.toSpliced(last + 1, 0, poiLayer(layers[first], style));
}

/** Places by rank, which our tiles carry, else by population, as the package has it. */
function rankPlaces(layer) {
  const key = layer.layout?.['symbol-sort-key'];
  if (layer['source-layer'] !== 'place_labels' || !key) return layer;
  return { ...layer, layout: { ...layer.layout, 'symbol-sort-key': ['case', ['has', 'rank'], ['-', ['get', 'rank']], key] } };
}

/** The images that layers call for, by sheet; names that an expression makes up are not seen. */
export function images(layers) {
  const out = {};
  JSON.stringify(layers, (_, v) => {
    const found = typeof v === 'string' && /^(base|places|places-sdf):(.*)$/.exec(v);
    if (found) (out[found[1]] ??= new Set()).add(found[2]);
    return v;
  });
  return out;
}

function template(style, schema) {
  const made = schema.build({
    theme: style.theme,
    text: { language: 'uz' },
    urls: { [schema.url]: 'https://tiles.invalid/tiles.json', base: 'https://tiles.invalid' },
    features: { hillshade: { exaggeration: 0.25 } },
  });
  let layers = markLabels(made.layers, schema);
  if (schema === schemas.shortbread) layers = withPlaces(layers, style).map(rankPlaces);
  layers = tellRoadsApart(layers.map(keepNames));
  layers = layers.map((l) => {
    const source = l.source && { source: l.type === 'hillshade' ? 'terrain' : 'tiles' };
    const placed = { ...l, ...source };
    if (l.type === 'hillshade') return part(placed, 'hillshade');
    return isPoi(l) ? part(placed, 'poi') : placed;
  });
  const { version, metadata, sky, projection } = made;
  const sprites = [...new Set(['base', 'places', ...Object.keys(images(layers))])];
  return {
    head: { version, name: style.name, metadata: { ...metadata, style: style.id }, sky, projection },
    attribution: schema.attribution,
    labels: labelsFor(schema),
    sprites,
    layers,
  };
}

/** All templates: [{schema, id, template}]. */
export function templates() {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    styles.map((style) => ({ schema: name, id: style.id, template: template(style, schema) })),
  );
}

/** Builds dist/styles. */
export function buildStyles(all) {
  write('styles/styles.json', JSON.stringify(styles.map(({ id, name, dark }) => ({ id, name, dark }))));
  for (const { schema, id, template: t } of all) writeGzip(`styles/${schema}/${id}.json.gz`, JSON.stringify(t));
  return `${all.length} styles`;
}
