// The spans that the analytics can be asked for.

export const periods = ['7', '30', '90', '365'] as const;
export type Period = (typeof periods)[number];
export const groups = ['account', 'campaign', 'error'] as const;
export type Group = (typeof groups)[number];

const day = 86_400_000;

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** From the first of the last days to where tomorrow begins; the API counts days of UTC. */
export function spanOf(p: Period, now = Date.now()): { from: string; to: string } {
  return { from: dateOf(now - (Number(p) - 1) * day), to: dateOf(now + day) };
}

/** Every day of the span, with zeros where nothing happened. */
export function filled<R extends { key: string }>(rows: readonly R[], span: { from: string; to: string }, empty: (key: string) => R): R[] {
  const by = new Map(rows.map((r) => [r.key, r]));
  const out: R[] = [];
  for (let at = Date.parse(span.from); at < Date.parse(span.to); at += day) {
    const key = dateOf(at);
    out.push(by.get(key) ?? empty(key));
  }
  return out;
}
