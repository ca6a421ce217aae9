/** Parts of MapLibre that this bundle does not contain. */
const unused =
  /maplibregl-ctrl-(fullscreen|shrink|terrain|globe|logo)|maplibregl-pseudo-fullscreen|maplibregl-popup-track-pointer|maplibregl-track-pointer/;

/**
 * trimMapLibre leaves out the rules of MapLibre's own style sheet that only
 * controls we do not have would use. Most of them are drawings.
 */
export function trimMapLibre() {
  return {
    name: 'trim-maplibre-css',
    enforce: 'pre',
    transform(code, id) {
      return /maplibre-gl\.css$/.test(id) ? { code: trim(code), map: null } : null;
    },
  };
}

/** trim drops unused selectors; a rule without selectors goes as a whole. Exported for its test. */
export function trim(css) {
  let out = '';
  let rest = css.replace(/\/\*[\s\S]*?\*\//g, '');
  while (rest) {
    const open = rest.indexOf('{');
    if (open < 0) return out + rest;
    const close = end(rest, open);
    out += rule(rest.slice(0, open), rest.slice(open + 1, close));
    rest = rest.slice(close + 1);
  }
  return out;
}

function rule(prelude, body) {
  if (/^\s*@(media|supports)/.test(prelude)) {
    const inner = trim(body);
    return inner.trim() ? `${prelude}{${inner}}` : '';
  }
  if (/^\s*@/.test(prelude)) return `${prelude}{${body}}`;
  const kept = selectors(prelude).filter((s) => !unused.test(s));
  return kept.length ? `${kept.join(',')}{${body}}` : '';
}

/** selectors splits at commas outside parentheses. */
function selectors(prelude) {
  const out = [''];
  let depth = 0;
  for (const c of prelude) {
    if (c === '(') depth++;
    if (c === ')') depth--;
    if (c === ',' && depth === 0) out.push('');
    else out[out.length - 1] += c;
  }
  return out;
}

/** end finds the brace that closes the one at open; quoted text does not count. */
function end(css, open) {
  let depth = 0;
  let quote = '';
  for (let i = open; i < css.length; i++) {
    const c = css[i];
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i;
  }
  throw new Error('a brace of the style sheet is never closed');
}
