// The first rows of a workbook (XLSX), to be shown before the server reads it. The server reads it all and decides;
// this reads the one sheet that it takes too: the first.

interface Entry {
  at: number;
  packed: number;
  method: number;
}

/** As much of a part is unpacked: the first rows stand at its beginning. */
const mostUnpacked = 4 * 1024 * 1024;

export const isWorkbook = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;

/** The rows of its first sheet, at most so many; undefined for what is no workbook. */
export async function rowsOf(file: Blob, most: number): Promise<string[][] | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const entries = directory(bytes);
  const text = async (name: string) => {
    const e = entries.get(name);
    return e && new TextDecoder().decode(await unpack(bytes, e));
  };
  const book = await text('xl/workbook.xml');
  const relations = await text('xl/_rels/workbook.xml.rels');
  const id = book && /<(?:\w+:)?sheet\b[^>]*\br:id="([^"]+)"/.exec(book)?.[1];
  const target = id && relations && [...relations.matchAll(/<Relationship\b[^>]*>/g)].find(([r]) => attribute(r, 'Id') === id)?.[0];
  const path = target ? attribute(target, 'Target').replace(/^\/?(xl\/)?/, 'xl/') : 'xl/worksheets/sheet1.xml';
  const sheet = await text(path);
  if (sheet === undefined) return undefined;
  const shared = strings((await text('xl/sharedStrings.xml')) ?? '');
  return [...sheet.matchAll(/<(?:\w+:)?row\b[^>]*>([\s\S]*?)<\/(?:\w+:)?row>/g)]
    .map(([, cells]) => cellsOf(cells!, shared))
    .filter((row) => row.some((c) => c !== ''))
    .slice(0, most);
}

/** The parts of an archive by their names, from the list at its end. */
function directory(bytes: Uint8Array): Map<string, Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Map<string, Entry>();
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) return out;
  let at = view.getUint32(end + 16, true);
  for (let n = view.getUint16(end + 10, true); n > 0 && at + 46 <= bytes.length && view.getUint32(at, true) === 0x02014b50; n--) {
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    out.set(name, { method: view.getUint16(at + 10, true), packed: view.getUint32(at + 20, true), at: view.getUint32(at + 42, true) });
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return out;
}

async function unpack(bytes: Uint8Array, e: Entry): Promise<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = e.at + 30 + view.getUint16(e.at + 26, true) + view.getUint16(e.at + 28, true);
  const packed = bytes.slice(from, from + e.packed);
  if (e.method === 0) return packed;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    if (size > mostUnpacked) {
      void reader.cancel();
      break;
    }
  }
  const out = new Uint8Array(size);
  parts.reduce((at, p) => (out.set(p, at), at + p.length), 0);
  return out;
}

const attribute = (tag: string, name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const plain = (xml: string): string =>
  xml.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, n?: string, x?: string, name?: string) =>
    n ? String.fromCodePoint(Number(n)) : x ? String.fromCodePoint(Number.parseInt(x, 16)) : (named[name ?? ''] ?? all),
  );

/** The texts of a cell or of a shared string: one, or several with formats of their own. */
const texts = (xml: string): string => [...xml.matchAll(/<(?:\w+:)?t\b[^>]*>([\s\S]*?)<\/(?:\w+:)?t>/g)].map(([, t]) => plain(t!)).join('');
const strings = (xml: string): string[] => [...xml.matchAll(/<(?:\w+:)?si\b[^>]*>([\s\S]*?)<\/(?:\w+:)?si>/g)].map(([, si]) => texts(si!));

/** The cells of a row, each at its place: empty ones are left out of the file. */
function cellsOf(xml: string, shared: readonly string[]): string[] {
  const out: string[] = [];
  for (const [, tag, inner] of xml.matchAll(/<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g)) {
    const letters = /^[A-Z]+/.exec(attribute(` ${tag}`, 'r'))?.[0] ?? '';
    const place = letters ? [...letters].reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0) - 1 : out.length;
    const value = /<(?:\w+:)?v\b[^>]*>([\s\S]*?)<\/(?:\w+:)?v>/.exec(inner ?? '')?.[1];
    const kind = attribute(` ${tag}`, 't');
    while (out.length < place) out.push('');
    out[place] = kind === 's' ? (shared[Number(value)] ?? '') : kind === 'inlineStr' ? texts(inner ?? '') : plain(value ?? '');
  }
  return out;
}
