// The records of leads and figures, and how their values are written.
import type { Format, Schema } from '@shell';

export type Lead = Schema<'LeadShown'>;
export type Pipeline = Schema<'LeadPipeline'>;
export type Funnel = Pipeline['data'][number];
export type Stage = Funnel['stages'][number];
export type Analytics = Schema<'FigureAnalytics'>;
export type Performance = Schema<'FigurePerformance'>;

export const statuses = ['OPEN', 'WON', 'LOST'] as const;
export const qualities = ['hot', 'warm', 'cold'] as const;
export const interests = ['HIGH', 'MEDIUM', 'LOW', 'NONE'] as const;

/** An amount with its currency; undefined where there is none. */
export function worth(f: Format, amount: number | string | null | undefined, currency: string | null | undefined): string | undefined {
  return amount === null || amount === undefined || !currency ? undefined : `${f.number(Number(amount))} ${currency}`;
}

const minute = 60;
const hour = 60 * minute;

/** A wait in the unit in which people speak of it; a dash for none. */
export function wait(f: Format, seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 2 * minute) return f.measure(Math.round(seconds), 'second');
  if (seconds < 2 * hour) return f.measure(Math.round(seconds / minute), 'minute');
  return f.measure(seconds / hour, 'hour', 1);
}

/** The columns of a funnel's board: the leads that were read, by stage, and how many more each has. */
export function columnsOf(funnel: Funnel, leads: readonly Lead[]): { stage: Stage; leads: Lead[]; more: number }[] {
  return funnel.stages.map((stage) => {
    const own = leads.filter((l) => l.funnel_id === funnel.funnel_id && l.stage === stage.key);
    return { stage, leads: own, more: Math.max(0, stage.open - own.length) };
  });
}
