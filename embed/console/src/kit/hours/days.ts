import type { Schema } from '@shell';

/** Times of day at which campaigns may send. */
export type Hours = Schema<'OrgHours'>;
export type Weekday = Hours['weekdays'][number];

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const satisfies readonly Weekday[];
/** The end of the day is 24:00 in the API; a field of time has 00:00 for it. */
export const endShown = (end: string): string => (end === '24:00' ? '00:00' : end);
export const endSent = (shown: string): string => (shown === '00:00' ? '24:00' : shown);
/** Whether the hours end on the day after they began. */
export const isOvernight = (h: Pick<Hours, 'start' | 'end'>): boolean => h.end !== '24:00' && h.end < h.start;
