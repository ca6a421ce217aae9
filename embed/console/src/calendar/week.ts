// A week as blocks on seven days: when a business is open, what is taken, what stays free around
// it, what is booked and what waits, by the clocks of the business.
import { dayOf, startOfDay, wallOf } from '@shell';
import type { Action, Business, Connection } from './types';
import { books, isOpen } from './types';

export type Kind = 'open' | 'busy' | 'buffer' | 'notice' | 'booked' | 'waits';

export interface Block {
  kind: Kind;
  /** Minutes after midnight. */
  from: number;
  to: number;
  /** The moment at which it begins, and its end. */
  start: string;
  end: string;
  action?: Action;
}

export interface Day {
  date: string;
  blocks: Block[];
}

const minute = 60_000;
const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, 10);
}

export function daysLater(day: string, n: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + n);
  return at.toISOString().slice(0, 10);
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** When a business is open on a day, in minutes; a night goes on after midnight. */
function spansOn(b: Pick<Business, 'business_hours'>, day: string) {
  const special = b.business_hours.exceptions.find((e) => e.date === day);
  const weekly = names.every((n) => b.business_hours[n].length === 0);
  const name = names[new Date(`${day}T00:00:00Z`).getUTCDay()]!;
  if (!special && weekly) return [{ from: 0, to: 1440 }];
  return (special ? special.hours : b.business_hours[name]).map((s) => {
    const from = minutesOf(s.open);
    const to = minutesOf(s.close);
    return { from, to: to <= from ? to + 1440 : to };
  });
}

export function openOn(b: Pick<Business, 'business_hours'>, day: string): { from: number; to: number }[] {
  const night = spansOn(b, daysLater(day, -1))
    .filter((s) => s.to > 1440)
    .map((s) => ({ from: 0, to: s.to - 1440 }));
  return [...night, ...spansOn(b, day).map((s) => ({ from: s.from, to: Math.min(s.to, 1440) }))];
}

/** The part of a time that lies on a day, in minutes; undefined for none. */
export function partOn(day: string, start: string, end: string, zone: string): { from: number; to: number } | undefined {
  const begins = startOfDay(day, 0, zone);
  const ends = startOfDay(day, 1, zone);
  if (!begins || !ends || Date.parse(end) <= Date.parse(begins) || Date.parse(start) >= Date.parse(ends)) return undefined;
  const clock = (at: string) => {
    const w = wallOf(at, zone);
    return w.hour * 60 + w.minute;
  };
  return { from: dayOf(start, zone) === day ? clock(start) : 0, to: dayOf(end, zone) === day ? clock(end) : 1440 };
}

interface Seen {
  business: Pick<Business, 'business_hours' | 'calendar_config' | 'timezone'>;
  busy: Connection['busy'];
  actions: readonly Action[];
  now: number;
}

/** A week of seven days from a Monday. */
export function weekOf(monday: string, { business, busy, actions, now }: Seen): Day[] {
  const zone = business.timezone;
  const buffer = business.calendar_config.buffer_minutes * minute;
  const moment = (at: number) => new Date(at).toISOString();
  const times: Omit<Block, 'from' | 'to'>[] = [];
  const held = actions.filter((a) => books(a) && a.type !== 'CANCEL');
  for (const b of busy ?? []) {
    const [start, end] = [Date.parse(b.start), Date.parse(b.end)];
    if (buffer > 0) {
      times.push({ kind: 'buffer', start: moment(start - buffer), end: b.start }, { kind: 'buffer', start: b.end, end: moment(end + buffer) });
    }
    times.push({ kind: 'busy', start: b.start, end: b.end });
  }
  for (const a of held) {
    if (a.status === 'COMPLETED' && a.starts_at && a.ends_at) {
      const stands = busy === null || busy.some((b) => b.start <= a.starts_at! && b.end >= a.ends_at!);
      if (stands) times.push({ kind: 'booked', start: a.starts_at, end: a.ends_at, action: a });
    }
    if (isOpen(a)) times.push({ kind: 'waits', start: a.extracted.start, end: a.extracted.end, action: a });
  }
  times.push({ kind: 'notice', start: moment(now), end: moment(now + business.calendar_config.min_notice_minutes * minute) });
  return Array.from({ length: 7 }, (_, i) => {
    const date = daysLater(monday, i);
    const open = openOn(business, date).map((s) => ({ kind: 'open' as const, ...s, start: '', end: '' }));
    const rest = times.flatMap((x) => {
      const part = partOn(date, x.start, x.end, zone);
      return part && part.to > part.from ? [{ ...x, ...part }] : [];
    });
    return { date, blocks: [...open, ...rest] };
  });
}

/** The hours that a week is drawn with: all that it has, and eight to eighteen at least. */
export function hoursOf(days: readonly Day[]): { from: number; to: number } {
  const shown = days.flatMap((d) => d.blocks).filter((b) => b.kind !== 'notice' && !(b.kind === 'open' && b.from === 0 && b.to === 1440));
  const from = Math.min(8 * 60, ...shown.map((b) => b.from));
  const to = Math.max(18 * 60, ...shown.map((b) => b.to));
  return { from: Math.floor(from / 60), to: Math.ceil(to / 60) };
}
