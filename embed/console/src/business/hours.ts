// When a business is open: its week in words, and what is wrong with the times of a day.
import type { Span, Week } from './types';

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof days)[number];

const clock = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Whether a text is a time at which a business may open. */
export const isClock = (s: string): boolean => clock.test(s);

/** Whether a text is a time at which a business may close: the end of the day is one. */
export const isClose = (s: string): boolean => clock.test(s) || s === '24:00';

/** The times of a day in words; `closed` when there are none. */
export const spansText = (spans: readonly Span[], closed: string): string =>
  spans.length === 0 ? closed : spans.map((s) => `${s.open}–${s.close}`).join(', ');

/** A business without any weekly hours is always open. */
export const isAlwaysOpen = (week: Week): boolean => days.every((d) => week[d].length === 0);

/** The week in words: days with the same times together, such as "Mon–Fri 09:00–18:00, Sat 10:00–14:00, Sun closed". */
export function weekText(week: Week, names: readonly string[], closed: string): string {
  const parts: string[] = [];
  for (let from = 0; from < days.length; ) {
    const text = spansText(week[days[from]!], closed);
    let to = from;
    while (to + 1 < days.length && spansText(week[days[to + 1]!], closed) === text) to++;
    parts.push(`${from === to ? names[from] : `${names[from]}–${names[to]}`} ${text}`);
    from = to + 1;
  }
  return parts.join('; ');
}

/** The first time that is none, by the name of its field. */
export function wrongTimes(week: Week): string[] {
  const bad = (spans: readonly Span[]) => spans.some((s) => !isClock(s.open) || !isClose(s.close));
  return [
    ...days.filter((d) => bad(week[d])).map((d) => `business_hours.${d}`),
    ...week.exceptions.flatMap((e, i) => (bad(e.hours) || !e.date ? [`business_hours.exceptions[${i}]`] : [])),
  ];
}
