// Glyphs of the map's labels: Noto Sans as signed distance fields (24 px,
// radius 8, cutoff 0.25, a border of 3 px), 256 code points a file.
//
//   fonts/fonts.json                   the names of the fonts
//   fonts/<font>/<first>-<last>.pbf.gz one fontstack; a range without glyphs has no file
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import fontnik from 'fontnik';
import { PbfReader, PbfWriter } from 'pbf';
import { packageFolder, write, writeGzip } from './out.mjs';

const range = promisify(fontnik.range);

const noto = packageFolder('@expo-google-fonts/noto-sans');
const symbols = packageFolder('@expo-google-fonts/noto-sans-symbols'); // the arrows, which Noto Sans lacks

/** Each font: its faces in the order in which they are asked for a glyph. */
const fonts = {
  noto_sans_regular: [
    path.join(noto, '400Regular/NotoSans_400Regular.ttf'),
    path.join(symbols, '400Regular/NotoSansSymbols_400Regular.ttf'),
  ],
  noto_sans_bold: [path.join(noto, '700Bold/NotoSans_700Bold.ttf'), path.join(symbols, '700Bold/NotoSansSymbols_700Bold.ttf')],
};

/** What is kept: the scripts of the languages that the map speaks, and their neighbours. */
const kept = [
  [0x0000, 0x024f], // Latin with its first extensions, digits
  [0x0250, 0x02af], // the schwa of Azerbaijani and other Latin letters
  [0x02b0, 0x02ff], // spacing modifiers: ʻ and ʼ
  [0x0300, 0x036f], // marks of letters that are written in two parts
  [0x0400, 0x052f], // Cyrillic and its supplement
  [0x1c80, 0x1c8f], // Cyrillic extended C
  [0x1e00, 0x1eff], // Latin extended additional
  [0x2000, 0x206f], // general punctuation
  [0x20a0, 0x20cf], // currencies
  [0x2100, 0x214f], // № and other letter-like signs
  [0x2190, 0x21ff], // arrows
  [0x2c60, 0x2c7f], // Latin extended C
  [0x2de0, 0x2dff], // Cyrillic extended A
  [0xa640, 0xa69f], // Cyrillic extended B
  [0xa720, 0xa7ff], // Latin extended D
  [0xab30, 0xab6f], // Latin extended E
];

const wanted = (code) => kept.some(([first, last]) => code >= first && code <= last);

/** The starts of the files that can hold something. */
const starts = [
  ...new Set(
    kept.flatMap(([first, last]) => {
      const out = [];
      for (let s = first & ~255; s <= last; s += 256) out.push(s);
      return out;
    }),
  ),
].sort((a, b) => a - b);

/** The glyphs of one rasterised range: code point to encoded glyph message. */
function glyphs(pbf) {
  const stack = (tag, out, reader) => {
    if (tag === 3) {
      const glyph = reader.readBytes();
      const code = new PbfReader(glyph).readFields((t, o, r) => {
        if (t === 1) o.id = r.readVarint();
      }, {}).id;
      out.set(code, glyph);
    }
  };
  return new PbfReader(pbf).readFields((tag, out, reader) => {
    if (tag === 1) reader.readMessage(stack, out);
  }, new Map());
}

function encode(name, first, all) {
  const out = new PbfWriter();
  out.writeMessage(1, (_, stack) => {
    stack.writeStringField(1, name);
    stack.writeStringField(2, `${first}-${first + 255}`);
    for (const code of [...all.keys()].sort((a, b) => a - b)) stack.writeBytesField(3, all.get(code));
  });
  return Buffer.from(out.finish());
}

async function buildFont(name, faces) {
  const files = faces.map((f) => readFileSync(f));
  let count = 0;
  for (const first of starts) {
    const all = new Map();
    for (const font of files) {
      for (const [code, glyph] of glyphs(await range({ font, start: first, end: first + 255 }))) {
        if (wanted(code) && !all.has(code)) all.set(code, glyph);
      }
    }
    if (all.size === 0) continue;
    count += all.size;
    writeGzip(`fonts/${name}/${first}-${first + 255}.pbf.gz`, encode(name, first, all));
  }
  return count;
}

/** Builds dist/fonts. */
export async function buildFonts() {
  let count = 0;
  for (const [name, faces] of Object.entries(fonts)) count += await buildFont(name, faces);
  write('fonts/fonts.json', JSON.stringify(Object.keys(fonts)));
  return `${count} glyphs`;
}
