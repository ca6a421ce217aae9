// The spans that the analytics can be asked for.

export const periods = ['7', '30', '90', '365'] as const;
export type Period = (typeof periods)[number];
/** What home shows when the address says nothing. */
export const usual: Period = '30';
export const groups = ['account', 'campaign', 'error'] as const;
export type Group = (typeof groups)[number];

const day = 86_400_000;

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** From the first of the last days to where tomorrow begins: days of the organization, whose today the dashboard tells. */
export function spanOf(p: Period, today: string): { from: string; to: string } {
  const at = Date.parse(today);
  return { from: dateOf(at - (Number(p) - 1) * day), to: dateOf(at + day) };
}

/** Today in the organization's time zone (contract 21.2): the last of its days. */
export function todayOf(d: { messages: { days: readonly { date: string }[] } | null }): string {
  return d.messages?.days.at(-1)?.date ?? dateOf(Date.now());
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
