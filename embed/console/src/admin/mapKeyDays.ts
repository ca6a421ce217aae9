import type { Schema } from '@shell';

export interface DayOfUse {
  day: string;
  [product: string]: string | number;
}

/** The use of a key with an entry for every day of its window, the quiet ones too. */
export function everyDay(u: Pick<Schema<'ManagedUsage'>, 'from' | 'to' | 'days'>, products: readonly string[]): DayOfUse[] {
  const days = new Map<string, DayOfUse>();
  for (let at = Date.parse(`${u.from.slice(0, 10)}T00:00:00Z`); at < Date.parse(u.to); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.set(day, { day, ...Object.fromEntries(products.map((p) => [p, 0])) });
  }
  for (const d of u.days) {
    const of = days.get(d.day);
    if (of) of[d.product] = Number(of[d.product] ?? 0) + d.requests;
  }
  return [...days.values()];
}
