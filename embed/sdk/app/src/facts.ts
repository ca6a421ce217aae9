import type { Place } from 'svc-map';
import { t, number, type Key } from './i18n';
import { drawing, h, outside, webAddress, type Drawing } from './ui';

type Fact = readonly [drawing: Drawing | null, label: Key, value: Node | string];

/** facts is the list of what is known about a place. */
export function facts(p: Place): HTMLElement {
  const rows = [...contact(p), ...more(p)].map(([icon, label, value]) =>
    h(
      'div',
      {},
      h('dt', { title: t(label) }, icon ? drawing(icon, 18) : t(label), icon && h('span', { class: 'quiet' }, t(label))),
      h('dd', {}, value),
    ),
  );
  return h('dl', { class: 'facts' }, ...rows);
}

function contact(p: Place): Fact[] {
  const d = p.details;
  const out: Fact[] = [];
  if (p.full_address && p.full_address !== p.name) out.push(['pin', 'place.address', p.full_address]);
  if (d.phone) out.push(['phone', 'place.phone', phones(d.phone)]);
  const site = webAddress(d.website);
  if (site) out.push(['globe', 'place.website', outside(site, site.replace(/^https?:\/\/(www\.)?|\/$/g, ''))]);
  if (typeof d.email === 'string' && d.email.includes('@')) {
    out.push(['mail', 'place.email', h('a', { href: `mailto:${encodeURIComponent(d.email)}` }, d.email)]);
  }
  return out;
}

/** phones: several numbers are separated by semicolons. */
function phones(text: string): HTMLElement {
  const parts = text
    .split(';')
    .map((p) => p.trim())
    .filter(Boolean);
  return h('span', {}, ...parts.flatMap((p, i) => [i > 0 && ', ', h('a', { href: `tel:${p.replace(/[^\d+]/g, '')}` }, p)]));
}

/** Details that are shown as they come, in this order. */
const plain: [string, Key][] = [
  ['cuisine', 'place.cuisine'],
  ['brand', 'place.brand'],
  ['operator', 'place.operator'],
  ['wheelchair', 'place.wheelchair'],
  ['internet_access', 'place.internet'],
  ['stars', 'place.stars'],
  ['building:levels', 'place.levels'],
  ['description', 'place.description'],
  ['messenger', 'place.messenger'],
  ['photo_social', 'place.photoSocial'],
];

function more(p: Place): Fact[] {
  const out: Fact[] = [];
  for (const [key, label] of plain) {
    const value = p.details[key];
    if (typeof value === 'string' && value) out.push([null, label, readable(value)]);
  }
  if (p.population) out.push([null, 'place.population', number(p.population)]);
  const ele = Number(p.details['ele'] || NaN);
  if (Number.isFinite(ele)) out.push([null, 'place.elevation', t('place.metres', { n: ele })]);
  out.push([null, 'place.coordinates', `${p.lat.toFixed(6)}, ${p.lon.toFixed(6)}`]);
  const origin = 'nwr'.includes(p.mapsrc.type) && webAddress(p.mapsrc.url);
  if (origin) out.push([null, 'place.source', outside(origin, p.mapsrc.type + p.mapsrc.id)]);
  return out;
}

/** readable turns the values of tags into words, and addresses into links. */
export function readable(value: string): Node | string {
  const known: Record<string, Key> = { yes: 'place.yes', no: 'place.no', limited: 'place.limited' };
  const key = known[value];
  if (key) return t(key);
  if (/^https?:\/\//.test(value)) {
    const site = webAddress(value);
    if (site) return outside(site, site.replace(/^https?:\/\/(www\.)?|\/$/g, ''));
  }
  return value
    .replace(/_/g, ' ')
    .split(';')
    .map((v) => v.trim())
    .filter(Boolean)
    .join(', ');
}
