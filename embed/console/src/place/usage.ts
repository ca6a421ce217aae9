import type { Usage } from './types';

export interface Day {
  day: string;
  [product: string]: string | number;
}

/** The hourly series of a usage report by day and product, with an entry for every day of its window. */
export function byDay(u: Pick<Usage, 'from' | 'to' | 'series'>, products: readonly string[]): Day[] {
  const days = new Map<string, Day>();
  for (let at = Date.parse(`${u.from.slice(0, 10)}T00:00:00Z`); at < Date.parse(u.to); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.set(day, { day, ...Object.fromEntries(products.map((p) => [p, 0])) });
  }
  for (const s of u.series ?? []) {
    const of = days.get(s.hour.slice(0, 10));
    if (of) of[s.product] = Number(of[s.product] ?? 0) + s.requests;
  }
  return [...days.values()];
}
