// Points of interest of our own tiles: they carry the category and the rank of
// the search index, so the map shows the icons that results carry, the more
// important ones first.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Color } from '@versatiles/style';
import { root } from './out.mjs';

const category = ['get', 'category'];
const rank = ['to-number', ['get', 'rank'], 0];
const dot = ['index-of', '.', category];
const icon = ['slice', category, ['+', dot, 1]]; // "food.cafe" is drawn with "cafe", "street" with "street"

/** The image of a category: its own, else the one for any place. */
const image = (sheet) => ['coalesce', ['image', ['concat', `${sheet}:`, icon]], ['image', `${sheet}:poi`]];

/**
 * The lowest rank shown at each zoom: an airport from afar, a museum in the
 * city, a café in its street, a cash machine at its door.
 */
const threshold = ['step', ['zoom'], 0.5, 13, 0.4, 14, 0.28, 15, 0.2, 16, 0.13, 17, 0];

/** A value for each group, by category: the group is the first part of the id, with exceptions. */
function byGroup(value) {
  const file = path.join(root, '..', '..', 'geo', 'category', 'categories.json');
  const { groups, categories } = JSON.parse(readFileSync(file));
  const prefix = (c) => c.id.split('.')[0];
  const exceptions = categories.filter((c) => c.id.includes('.') && prefix(c) !== c.group);
  const color = new Map(groups.map((g) => [g.id, value(g.color)]));
  const other = value('#4B5563');
  return [
    'match',
    category,
    ...exceptions.flatMap((c) => [c.id, color.get(c.group)]),
    ['match', ['slice', category, 0, dot], ...[...color].flat(), other],
  ];
}

const lightText = (c) => Color.parse(c).mix(Color.parse('#000'), 0.3).asString();
const darkText = (c) => Color.parse(c).mix(Color.parse('#fff'), 0.5).asString();

/**
 * The layer of points of interest for a style. like is the layer of the style
 * whose letters and colours it follows, icons how they are drawn: "discs" in the
 * colours of the groups, or "glyphs" in the style's own.
 */
export function poiLayer(like, { dark, icons, opacity = 1 }) {
  const glyphs = icons === 'glyphs';
  const { 'text-color': text, 'text-halo-color': halo } = like.paint;
  return {
    id: 'poi-place',
    type: 'symbol',
    source: like.source,
    'source-layer': like['source-layer'],
    minzoom: 12,
    filter: ['all', ['has', 'category'], ['>=', rank, threshold]],
    layout: {
      'icon-image': image(glyphs ? 'places-sdf' : 'places'),
      'icon-size': ['interpolate', ['linear'], ['zoom'], 13, glyphs ? 0.8 : 0.58, 16, glyphs ? 0.95 : 0.75, 19, glyphs ? 1.2 : 1],
      'icon-padding': 3,
      'symbol-sort-key': ['-', rank],
      'symbol-placement': 'point',
      'text-field': like.layout['text-field'],
      'text-font': ['noto_sans_regular'],
      'text-size': ['interpolate', ['linear'], ['zoom'], 14, 10.5, 18, 12.5],
      'text-max-width': 8,
      'text-line-height': 1.1,
      'text-variable-anchor': ['top', 'right', 'left', 'bottom'],
      'text-radial-offset': 1,
      'text-justify': 'auto',
      'text-padding': 3,
      'text-optional': true,
    },
    paint: {
      'icon-opacity': opacity,
      ...(glyphs && { 'icon-color': text, 'icon-halo-color': halo, 'icon-halo-width': 1.5 }),
      'text-color': glyphs ? text : byGroup(dark ? darkText : lightText),
      'text-halo-color': halo,
      'text-halo-width': 1.5,
      'text-halo-blur': 0.5,
    },
  };
}
