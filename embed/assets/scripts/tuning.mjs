// What our styles change in those of the package: how long names stay, and how roads
// are told apart.

/** The first zoom at which the name of a place is gone, by layer: capitals and cities stay to z15, towns to z16. */
const placeNames = {
  'label-place-capital': 16,
  'label-place-statecapital': 16,
  'label-place-city': 16,
  'label-place-town': 17,
};

/** Names of capitals, cities and towns stay until their streets fill the screen. */
export function keepNames(layer) {
  const until = placeNames[layer.id];
  return until ? { ...layer, maxzoom: until } : layer;
}

/**
 * Where the colour of a class lies between those of two others of the package, and how
 * wide it is beside what the package draws. The package gives trunk, primary and
 * secondary roads one colour, and trunk and primary one width.
 */
const classes = {
  trunk: { from: 'motorway', to: 'primary', share: 0.5, width: 1.15 },
  secondary: { from: 'primary', to: 'tertiary', share: 0.6, width: 0.9 },
};

const road = /^((?:bridge-|tunnel-)?street-)(trunk|secondary)(-link)?(:outline)?$/;

function channels(color) {
  const found = /^rgba?\((\d+), ?(\d+), ?(\d+)(?:, ?([\d.]+))?\)$/.exec(color);
  if (!found) throw new Error(`the style package writes colours in another way than rgb(): ${color}`);
  return found.slice(1).map((v) => (v === undefined ? 1 : Number(v)));
}

export function mixed(a, b, share) {
  const [from, to] = [channels(a), channels(b)];
  const [r, g, bl, alpha] = from.map((v, i) => v + (to[i] - v) * share);
  const whole = [r, g, bl].map(Math.round).join(',');
  return alpha === 1 ? `rgb(${whole})` : `rgba(${whole},${alpha})`;
}

/** The widths of an interpolation by zoom, times a factor. */
function scaled(width, factor) {
  if (!Array.isArray(width) || width[0] !== 'interpolate') return width;
  return width.map((v, i) => (i > 3 && i % 2 === 0 && typeof v === 'number' ? Math.round(v * factor * 100) / 100 : v));
}

/** Gives trunk and secondary roads a colour and a width of their own. */
export function tellRoadsApart(layers) {
  const colors = Object.fromEntries(layers.map((l) => [l.id, l.paint?.['line-color']]));
  return layers.map((layer) => {
    const found = road.exec(layer.id);
    if (!found || typeof colors[layer.id] !== 'string') return layer;
    const [, where, kind, link = '', outline = ''] = found;
    const rule = classes[kind];
    const other = (name) => colors[`${where}${name}${link}${outline}`] ?? colors[`street-${name}${outline}`];
    const from = other(rule.from);
    const to = other(rule.to);
    const paint = { ...layer.paint, 'line-width': scaled(layer.paint['line-width'], rule.width) };
    if (from && to) paint['line-color'] = mixed(from, to, rule.share);
    return { ...layer, paint };
  });
}
