// An offer as a form holds it, and as the API takes it.
import { type Offer, orNull } from './types';

export interface Draft {
  name: string;
  type: Offer['type'];
  description: string;
  price: number | '';
  price_max: number | '';
  currency: string;
  price_note: string;
  availability: Offer['availability'];
  delivery: string;
  url: string;
  sales_priority: number;
  active: boolean;
}

const amount = (v: number | string | null | undefined): number | '' => (v === null || v === undefined || v === '' ? '' : Number(v));

export const draftOf = (o?: Offer): Draft => ({
  name: o?.name ?? '',
  type: o?.type ?? 'PRODUCT',
  description: o?.description ?? '',
  price: amount(o?.price),
  price_max: amount(o?.price_max),
  currency: o?.currency ?? 'UZS',
  price_note: o?.price_note ?? '',
  availability: o?.availability ?? 'AVAILABLE',
  delivery: o?.delivery ?? '',
  url: o?.url ?? '',
  sales_priority: o?.sales_priority ?? 0,
  active: o?.active ?? true,
});

/** The body of a draft: an empty field is null, and a currency stands beside a price only. */
export const bodyOf = (d: Draft) => ({
  ...d,
  name: d.name.trim(),
  description: orNull(d.description),
  price: d.price === '' ? null : d.price,
  price_max: d.price_max === '' ? null : d.price_max,
  currency: d.price === '' ? null : d.currency,
  price_note: orNull(d.price_note),
  delivery: orNull(d.delivery),
  url: orNull(d.url),
});

/** The body that makes an offer: an amount that is not there is left out. */
export function newOf(d: Draft) {
  const { price, price_max, ...rest } = bodyOf(d);
  return { ...rest, ...(price === null ? {} : { price }), ...(price_max === null ? {} : { price_max }) };
}

/** What is different, for a PATCH. */
export function changesOf(before: Draft, after: Draft): Partial<ReturnType<typeof bodyOf>> {
  const was = bodyOf(before);
  return Object.fromEntries(Object.entries(bodyOf(after)).filter(([k, v]) => v !== was[k as keyof Draft]));
}

/** What is wrong with a draft, by its fields; the keys of words. */
export function wrongOf(d: Draft): Partial<Record<keyof Draft, 'nameMissing' | 'offers.priceBelow' | 'offers.priceOrder'>> {
  return {
    ...(d.name.trim() === '' ? { name: 'nameMissing' } : {}),
    ...(d.price_max !== '' && d.price === '' ? { price_max: 'offers.priceBelow' } : {}),
    ...(d.price_max !== '' && d.price !== '' && d.price_max < d.price ? { price_max: 'offers.priceOrder' } : {}),
  };
}
