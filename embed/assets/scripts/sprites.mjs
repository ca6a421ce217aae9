// Sprite sheets: many small images in one picture, at one and two pixels to a
// pixel of the map.
//
//   base        what the styles call for: icons and markings as distance fields
//               that take the colour of the style, patterns as they are drawn
//   places      one image for each icon that a result can carry: a white glyph
//               of 15 px on a disc in the colour of its group
//   places-sdf  the same glyphs without the disc, as distance fields
//
// Each sheet is sprites/<name>.png and sprites/<name>.json.gz, and the same with @2x.
import ShelfPack from '@mapbox/shelf-pack';
import sharp from 'sharp';
import { signedField } from './field.mjs';
import { baseIcon, drawing, placeIcons } from './icons.mjs';
import { write, writeGzip } from './out.mjs';

const ratios = [1, 2];
const fine = 16; // samples a pixel of the mask that a distance field is made from
const border = 3; // pixels around a distance field, for its halo
const glyph = 15; // pixels: the size that Maki is drawn for
const disc = 24;
const baseSize = 20; // pixels of an icon of the style at icon-size 1

/** An SVG of width by height pixels of the map, with ratio pixels for each. */
const canvas = (width, height, ratio, body) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * ratio}" height="${height * ratio}" viewBox="0 0 ${width} ${height}">${body}</svg>`,
  );

/** A drawing in a square of the given size. */
function placed(name, offset, size, fill) {
  const { viewBox, body } = drawing(name);
  return `<svg x="${offset}" y="${offset}" width="${size}" height="${size}" viewBox="${viewBox}" fill="${fill}">${body}</svg>`;
}

async function pixels(svg) {
  const { data, info } = await sharp(svg).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** An icon as a distance field, in the alpha of black. */
async function fieldImage(name, size, ratio) {
  const side = size + 2 * border;
  const { width, height, data } = await pixels(canvas(side, side, fine, placed(name, border, size, '#000')));
  const mask = new Uint8Array(width * height);
  for (let i = 0; i < mask.length; i++) mask[i] = data[4 * i + 3];
  const made = signedField(mask, width, height, fine, ratio);
  const out = Buffer.alloc(4 * made.field.length);
  made.field.forEach((v, i) => {
    out[4 * i + 3] = v;
  });
  return { width: made.width, height: made.height, data: out, sdf: true };
}

async function patternImage(name, ratio) {
  const { viewBox, body } = drawing(name);
  const [, , width, height] = viewBox.split(' ').map(Number);
  return pixels(canvas(width, height, ratio, body));
}

async function discImage({ color, drawing: name }, ratio) {
  const middle = disc / 2;
  const circle = `<circle cx="${middle}" cy="${middle}" r="${middle - 0.75}" fill="${color}" stroke="#fff" stroke-opacity="0.85" stroke-width="1"/>`;
  return pixels(canvas(disc, disc, ratio, circle + placed(name, (disc - glyph) / 2, glyph, '#fff')));
}

/** Packs images into a sheet and writes it. images: [{id, image}], sorted by id. */
async function writeSheet(name, ratio, images) {
  const sorted = [...images].sort((a, b) => b.image.height - a.image.height || (a.id < b.id ? -1 : 1));
  const gap = 1; // so that drawing at a fraction of a pixel does not reach into the neighbour
  const boxes = sorted.map(({ id, image }) => ({ id, w: image.width + gap, h: image.height + gap }));
  const packer = new ShelfPack(Math.ceil(Math.sqrt(boxes.reduce((sum, b) => sum + b.w * b.h, 0)) / 32) * 32, 0, { autoResize: true });
  const bins = new Map(packer.pack(boxes).map((b) => [b.id, b]));
  const sheet = Buffer.alloc(4 * packer.w * packer.h);
  const index = {};
  for (const { id, image } of images) {
    const { x, y } = bins.get(id);
    for (let row = 0; row < image.height; row++) {
      image.data.copy(sheet, 4 * ((y + row) * packer.w + x), 4 * row * image.width, 4 * (row + 1) * image.width);
    }
    index[id] = { x, y, width: image.width, height: image.height, pixelRatio: ratio, ...(image.sdf && { sdf: true }) };
  }
  const png = await sharp(sheet, { raw: { width: packer.w, height: packer.h, channels: 4 } })
    .png({ compressionLevel: 9, adaptiveFiltering: true })
    .toBuffer();
  const file = `sprites/${name}${ratio === 1 ? '' : `@${ratio}x`}`;
  write(`${file}.png`, png);
  writeGzip(`${file}.json.gz`, JSON.stringify(index));
}

/**
 * Builds dist/sprites. baseIds are the images of the sheet base that the styles
 * call for, placeIds those of the sheets places and places-sdf.
 */
export async function buildSprites(baseIds, placeIds) {
  const places = placeIcons();
  const missing = placeIds.filter((id) => !places.some((p) => p.icon === id));
  if (missing.length > 0) throw new Error(`the styles use images that the sheet places lacks: ${missing.join(', ')}`);
  const all = (list, make) => Promise.all(list.map(make));
  for (const ratio of ratios) {
    await writeSheet(
      'base',
      ratio,
      await all([...baseIds].sort(), async (id) => ({
        id,
        image: id.startsWith('pattern-') ? await patternImage(baseIcon(id), ratio) : await fieldImage(baseIcon(id), baseSize, ratio),
      })),
    );
    await writeSheet('places', ratio, await all(places, async (p) => ({ id: p.icon, image: await discImage(p, ratio) })));
    await writeSheet(
      'places-sdf',
      ratio,
      await all(places, async (p) => ({ id: p.icon, image: await fieldImage(p.drawing, glyph, ratio) })),
    );
  }
  return `${baseIds.length + 2 * places.length} images`;
}
