// The records of insights, and the choices that a board has in its address.
import { dayOf, type Schema } from '@shell';

export type Board = Schema<'BoardShown'>;
export type Metric = Board['metrics'][number];
/** Figures by day, of boards of conversations and of content. */
export type Series = readonly { date: string; values: Record<string, number | null> | null }[];
export type Item = Board['items'][number];
export type Narrative = NonNullable<Board['narrative']>;
export type Span = Narrative['headline_links'][number];
export type Case = Schema<'CasesShown'>;
export type Run = Schema<'BackfillShown'>;

export const boards = ['BUSINESS_HEALTH', 'SALES_OUTCOMES', 'LOST_REASONS', 'HAPPINESS', 'DEMAND', 'SERVICE_QUALITY'] as const;
export type BoardName = (typeof boards)[number];
export const dimensions = ['PURCHASE_OUTCOME', 'LOST_REASON', 'DISSATISFACTION', 'DEMAND', 'SERVICE_QUALITY'] as const;
export type Dimension = (typeof dimensions)[number];
export const channels = ['MESSENGER', 'PHOTO_NETWORK', 'PAGE_NETWORK'] as const;
export const spans = ['7', '30', '90'] as const;

/** All of a list that is short. */
export const whole = { limit: 500 } as const;

/** What a board shows, as its address says it. */
export interface Asked {
  board: BoardName;
  days: (typeof spans)[number];
  channel?: (typeof channels)[number];
  business?: string;
  /** The metric of the chart. */
  metric?: string;
  /** The case whose conversations are listed. */
  of?: string;
}

/** Reads an address; what is not known falls back. */
export function askedOf(search: Readonly<Record<string, unknown>>): Asked {
  const one = <T extends string>(value: unknown, of: readonly T[]) => of.find((x) => x === String(value));
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    board: one(search.board, boards) ?? 'BUSINESS_HEALTH',
    days: one(search.days, spans) ?? '30',
    channel: one(search.channel, channels),
    business: text(search.business),
    metric: text(search.metric),
    of: text(search.of),
  };
}

/** The first day of the last so many, today included, in the zone of the organization. */
export function firstDay(days: string, zone: string | undefined, now = Date.now()): string {
  return dayOf(now - (Number(days) - 1) * 86_400_000, zone);
}

/** Pieces of a text: its links, and what stands between them. */
export function pieces(text: string, links: readonly Span[]): { text: string; metric?: string }[] {
  const out: { text: string; metric?: string }[] = [];
  let at = 0;
  for (const l of [...links].sort((a, b) => a.start - b.start)) {
    if (l.start < at || l.end > text.length) continue;
    if (l.start > at) out.push({ text: text.slice(at, l.start) });
    out.push({ text: text.slice(l.start, l.end), metric: l.metric });
    at = l.end;
  }
  if (at < text.length) out.push({ text: text.slice(at) });
  return out;
}

/** How a metric changed: up, down or not, and whether that is good (1), bad (-1) or neither. */
export function trend(m: Metric): { by: number; good: number } | undefined {
  if (m.value === null || m.previous === null) return undefined;
  const by = m.value - m.previous;
  const better = ['satisfaction', 'sentiment', 'purchase_intent', 'trust'].includes(m.key);
  const worse = ['complaint', 'churn_risk', 'price_objection', 'unanswered_question'].includes(m.key);
  return { by, good: better ? Math.sign(by) : worse ? -Math.sign(by) : 0 };
}

/** The name of a case in the language of the console. */
export function nameOf(k: Pick<Case, 'name'>, language: string): string {
  return language === 'uz' ? k.name.uz : language === 'ru' ? k.name.ru : k.name.en;
}
