// When a repetition next begins, for the sentence under the form; the server decides.
import { type Repeat, type Weekday, weekdays } from './model';
import { localOf, momentOf } from './zone';

/** A day of the calendar as its midnight in UTC, whatever the zone: days are added without clocks. */
type Day = Date;

const dayLength = 86_400_000;
const week = 7;
/** How far ahead a next run is looked for, in days for each step of the interval. */
const farthest = 62;

const dayOf = (text: string): Day => new Date(`${text.slice(0, 10)}T00:00:00Z`);
const textOf = (d: Day): string => d.toISOString().slice(0, 10);
const weekday = (d: Day): number => (d.getUTCDay() + 6) % week;
const between = (a: Day, b: Day): number => Math.round((b.getTime() - a.getTime()) / dayLength);
const lastOf = (d: Day): number => new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() + 1, 0)).getUTCDate();

/** Whether a run falls on a day; the first run's day is where intervals count from. */
export function holds(r: Repeat, day: Day, first: Day): boolean {
  switch (r.frequency) {
    case 'DAILY':
      return between(first, day) % r.interval === 0;
    case 'WEEKLY': {
      const days: readonly Weekday[] = r.weekdays.length > 0 ? r.weekdays : [weekdays[weekday(first)]!];
      const weeks = (between(first, day) + weekday(first) - weekday(day)) / week;
      return days.includes(weekdays[weekday(day)]!) && weeks % r.interval === 0;
    }
    case 'MONTHLY': {
      const months = (day.getUTCFullYear() - first.getUTCFullYear()) * 12 + day.getUTCMonth() - first.getUTCMonth();
      const wanted = r.day_of_month === 'LAST' ? lastOf(day) : Math.min(r.day_of_month ?? first.getUTCDate(), lastOf(day));
      return months % r.interval === 0 && day.getUTCDate() === wanted;
    }
  }
}

/** The next time at which a rule holds; null when there is none. */
export function nextRun(r: Repeat, first: Date, now = new Date()): Date | null {
  const begin = dayOf(localOf(first.toISOString(), r.timezone)!);
  const from = Math.max(0, between(begin, dayOf(localOf(now.toISOString(), r.timezone)!)));
  for (let n = from; n <= from + farthest * r.interval; n++) {
    const day = new Date(begin.getTime() + n * dayLength);
    if (!holds(r, day, begin)) continue;
    const run = new Date(momentOf(`${textOf(day)} ${r.time}:00`, r.timezone)!);
    if (r.until && run.getTime() > Date.parse(r.until)) return null;
    if (run > now && run >= first) return run;
  }
  return null;
}
