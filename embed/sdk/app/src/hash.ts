/**
 * The address of what is on the screen, after the #. A plain word such as
 * `api-keys` names a section; everything else is `map=12.5/41.31/69.24` and one
 * of `place=n/1`, `at=lat,lon`, `from=…&to=…`.
 */
export interface Address {
  section?: string;
  map?: { zoom: number; lat: number; lon: number };
  place?: { type: string; id: number };
  at?: { lat: number; lon: number };
  from?: { lat: number; lon: number };
  to?: { lat: number; lon: number };
  mode?: string;
}

const validPoint = (lat: number, lon: number) => Math.abs(lat) <= 90 && Math.abs(lon) <= 180; // false for NaN

function point(text: string | null): { lat: number; lon: number } | undefined {
  const parts = (text ?? '').split(',');
  const [lat = NaN, lon = NaN] = parts.map((p) => (p.trim() ? Number(p) : NaN));
  return parts.length === 2 && validPoint(lat, lon) ? { lat, lon } : undefined;
}

/** parse reads an address; parts that make no sense are left out. */
export function parse(hash: string): Address {
  const text = hash.replace(/^#/, '');
  if (/^[a-z-]+$/.test(text)) return { section: text };
  const q = new URLSearchParams(text);
  const out: Address = { at: point(q.get('at')), from: point(q.get('from')), to: point(q.get('to')) };
  const [zoom = NaN, lat = NaN, lon = NaN] = (q.get('map') ?? '').split('/').map(Number);
  if (zoom >= 0 && zoom <= 24 && validPoint(lat, lon)) out.map = { zoom, lat, lon };
  const object = /^([a-z])\/(\d{1,15})$/.exec(q.get('place') ?? '');
  if (object) out.place = { type: object[1]!, id: Number(object[2]) };
  const mode = q.get('mode');
  if (mode && /^[a-z]{2,12}$/.test(mode)) out.mode = mode;
  return out;
}

/** format writes an address; the slash and the comma stay readable. */
export function format(a: Address): string {
  if (a.section) return `#${a.section}`;
  const parts: string[] = [];
  const at = (p: { lat: number; lon: number }) => `${round(p.lat, 6)},${round(p.lon, 6)}`;
  if (a.map) parts.push(`map=${round(a.map.zoom, 2)}/${round(a.map.lat, 5)}/${round(a.map.lon, 5)}`);
  if (a.place) parts.push(`place=${a.place.type}/${a.place.id}`);
  if (a.at) parts.push(`at=${at(a.at)}`);
  if (a.from) parts.push(`from=${at(a.from)}`);
  if (a.to) parts.push(`to=${at(a.to)}`);
  if (a.mode) parts.push(`mode=${a.mode}`);
  return parts.length ? `#${parts.join('&')}` : '';
}

const round = (n: number, digits: number) => String(Number(n.toFixed(digits)));
