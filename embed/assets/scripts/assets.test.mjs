// npm test: what a build must hold, checked before it is embedded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { signedField } from './field.mjs';
import { baseIcon, drawing, placeIcons } from './icons.mjs';
import { images, labelMark, styles, templates } from './styles.mjs';

/** A template as the server completes it. */
function complete({ head, labels, sprites, layers }, lang) {
  const base = 'https://map.example';
  const text = JSON.stringify(layers).replaceAll(JSON.stringify(labelMark), JSON.stringify(labels[lang]));
  return {
    ...head,
    sources: {
      tiles: { type: 'vector', url: `${base}/tiles/tiles.json?key=k` },
      terrain: { type: 'raster-dem', url: `${base}/terrain/tiles.json?key=k`, encoding: 'terrarium', tileSize: 256 },
    },
    sprite: sprites.map((id) => ({ id, url: `${base}/sprites/${id}?key=k` })),
    glyphs: `${base}/fonts/{fontstack}/{range}.pbf?key=k`,
    layers: JSON.parse(text),
  };
}

const all = templates();

test('every style is valid in every language', () => {
  for (const { schema, id, template } of all) {
    for (const lang of Object.keys(template.labels)) {
      const wrong = validateStyleMin(complete(template, lang)).map((e) => `${schema}/${id} ${lang}: ${e.message}`);
      assert.deepEqual(wrong, []);
    }
  }
});

test('the validator sees a mistake', () => {
  const style = complete(all[0].template, 'uz');
  style.layers[0].type = 'no such type';
  assert.notEqual(validateStyleMin(style).length, 0);
});

test('styles ask for the two fonts and the known sheets only', () => {
  for (const { schema, id, template } of all) {
    for (const layer of template.layers) {
      const fonts = layer.layout?.['text-font'] ?? [];
      assert.ok(
        fonts.every((f) => f === 'noto_sans_regular' || f === 'noto_sans_bold'),
        `${schema}/${id} ${layer.id}: ${fonts}`,
      );
    }
    assert.ok(
      template.sprites.every((s) => ['base', 'places', 'places-sdf'].includes(s)),
      `${schema}/${id}: ${template.sprites}`,
    );
  }
});

test('names of capitals and cities stay to z15, of towns to z16', () => {
  for (const { schema, id, template } of all) {
    const until = Object.fromEntries(template.layers.map((l) => [l.id, l.maxzoom]));
    for (const [layer, zoom] of Object.entries({ capital: 16, statecapital: 16, city: 16, town: 17 })) {
      if (`label-place-${layer}` in until) assert.equal(until[`label-place-${layer}`], zoom, `${schema}/${id} ${layer}`);
    }
  }
});

test('trunk, primary and secondary roads differ in colour and in width, in every style', () => {
  for (const { schema, id, template } of all) {
    const of = Object.fromEntries(template.layers.map((l) => [l.id, l.paint]));
    for (const suffix of ['', ':outline']) {
      const seen = ['motorway', 'trunk', 'primary', 'secondary', 'tertiary'].map((k) => of[`street-${k}${suffix}`]).filter(Boolean);
      if (suffix === '') assert.ok(seen.length >= 3, `${schema}/${id} has ${seen.length} classes of roads`);
      const widths = new Set(seen.map((p) => JSON.stringify(p['line-width'])));
      assert.equal(widths.size, seen.length, `${schema}/${id}${suffix}: widths`);
      if (suffix === '') assert.equal(new Set(seen.map((p) => p['line-color'])).size, seen.length, `${schema}/${id}: colours`);
    }
  }
});

test('labels follow the rule of names', () => {
  const { labels } = all.find((t) => t.schema === 'shortbread').template;
  const order = Object.fromEntries(Object.entries(labels).map(([lang, e]) => [lang, e.slice(1).map(([, field]) => field)]));
  assert.deepEqual(order, {
    uz: ['name_uz', 'name'],
    'uz-Cyrl': ['name_uz-Cyrl', 'name_ru', 'name'],
    ru: ['name_ru', 'name_uz-Cyrl', 'name'],
    en: ['name_en', 'name_uz', 'name'],
  });
});

test('every style has points of interest and a hillshade to leave out', () => {
  for (const { schema, id, template } of all) {
    const parts = new Set(template.layers.map((l) => l.metadata?.part));
    assert.ok(parts.has('poi') && parts.has('hillshade'), `${schema}/${id}`);
  }
  assert.equal(all.length, 3 * styles.length);
});

test('every icon has a drawing', () => {
  const used = images(all.map((t) => t.template.layers));
  for (const id of used.base) assert.match(drawing(baseIcon(id)).body, /<path/, id);
  for (const icon of placeIcons()) assert.match(drawing(icon.drawing).body, /<path/, icon.icon);
});

test('a distance field has its edge at three quarters', () => {
  const scale = 16,
    side = 20 * scale;
  const mask = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) for (let x = side / 2; x < side; x++) mask[y * side + x] = 255; // the right half
  for (const ratio of [1, 2]) {
    const { width, height, field } = signedField(mask, side, side, scale, ratio);
    assert.equal(width, 20 * ratio);
    const row = field.subarray(Math.floor(height / 2) * width, (Math.floor(height / 2) + 1) * width);
    for (let x = 0; x < width; x++) {
      const distance = 10 - (x + 0.5) / ratio; // pixels to the edge, positive outside
      const want = Math.max(0, Math.min(255, 255 * (0.75 - distance / 8)));
      assert.ok(Math.abs(row[x] - want) <= 2, `ratio ${ratio}, point ${x}: ${row[x]}, want ${want}`);
    }
  }
});
