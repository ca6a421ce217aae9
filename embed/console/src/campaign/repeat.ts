// A repetition in words, and when it next begins.
import dayjs, { type Dayjs } from 'dayjs';
import './zone';
import { type Repeat, weekdays } from './model';

/** The day of a month, or its last when it has none such. */
function dayIn(month: Dayjs, day: Repeat['day_of_month']): Dayjs {
  const last = month.daysInMonth();
  return month.date(day === 'LAST' || day === null ? last : Math.min(day, last));
}

function at(day: Dayjs, r: Repeat): Dayjs {
  return dayjs.tz(`${day.format('YYYY-MM-DD')} ${r.time}:00`, r.timezone);
}

/** The weekday of a day as the API writes it. */
const named = (d: Dayjs) => weekdays[(d.day() + 6) % 7]!;

/**
 * The next time at which a rule holds, counted from its first run; null when there is
 * none. The server decides; this is for the sentence under the form.
 */
export function nextRun(r: Repeat, first: Date, now = new Date()): Date | null {
  const begin = dayjs(first).tz(r.timezone || 'UTC');
  const bound = dayjs(now).add(400 * Math.max(1, r.interval), 'day');
  for (let day = begin.startOf('day'); day.isBefore(bound); day = day.add(1, 'day')) {
    if (!holds(r, day, begin)) continue;
    const run = at(day, r);
    if (r.until && run.isAfter(r.until)) return null;
    if (run.isAfter(now) && !run.isBefore(first)) return run.toDate();
  }
  return null;
}

/** Whether a run falls on a day. */
export function holds(r: Repeat, day: Dayjs, begin: Dayjs): boolean {
  const from = begin.startOf('day');
  switch (r.frequency) {
    case 'DAILY': return Math.round(day.diff(from, 'day', true)) % r.interval === 0;
    case 'WEEKLY': {
      const monday = (d: Dayjs) => d.startOf('day').subtract((d.day() + 6) % 7, 'day');
      const days = r.weekdays.length > 0 ? r.weekdays : [named(begin)];
      return days.includes(named(day)) && Math.round(monday(day).diff(monday(from), 'week', true)) % r.interval === 0;
    }
    case 'MONTHLY': {
      const months = (day.year() - from.year()) * 12 + day.month() - from.month();
      return months % r.interval === 0 && dayIn(day, r.day_of_month ?? from.date()).date() === day.date();
    }
  }
}
