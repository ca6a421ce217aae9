// What a key of the map was asked for, by day; for the pages of the platform and of the map.

export interface Use {
  /** A moment of the first day, and the moment at which the report ends. */
  from: string;
  to: string;
  /** at: a day, or an hour of it, in UTC as the map counts. */
  parts: readonly { at: string; product: string; requests: number }[];
  products: readonly { product: string; requests: number; denied: number }[];
}

export interface DayOfUse {
  day: string;
  [product: string]: string | number;
}

const dayLength = 86_400_000;

/** An entry for every day of the window, the quiet ones too, with the requests of each product. */
export function everyDay(u: Pick<Use, 'from' | 'to' | 'parts'>, products: readonly string[]): DayOfUse[] {
  const days = new Map<string, DayOfUse>();
  for (let at = Date.parse(`${u.from.slice(0, 10)}T00:00:00Z`); at < Date.parse(u.to); at += dayLength) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.set(day, { day, ...Object.fromEntries(products.map((p) => [p, 0])) });
  }
  for (const part of u.parts) {
    const of = days.get(part.at.slice(0, 10));
    if (of) of[part.product] = Number(of[part.product] ?? 0) + part.requests;
  }
  return [...days.values()];
}
