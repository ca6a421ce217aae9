// The time zone in which days and times are shown and asked for: that of the organization (contract 21.2).
// Without one it is that of the browser.
const dayLength = 86_400_000;

let zone: string | undefined;
const listeners = new Set<() => void>();

export const currentZone = (): string | undefined => zone;

export function onZone(told: () => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

/** Sets the time zone, an IANA name. A browser that does not know the name keeps its own. */
export function setZone(name: string | undefined): void {
  const next = name && isKnown(name) ? name : undefined;
  if (next === zone) return;
  zone = next;
  for (const told of [...listeners]) told();
}

function isKnown(name: string): boolean {
  try {
    return Boolean(clock(name));
  } catch {
    return false;
  }
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

function clock(in_: string | undefined): Intl.DateTimeFormat {
  const known = clocks.get(in_);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: in_,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(in_, made);
  return made;
}

/** What a clock and a calendar on the wall show. month: 1 is January. */
export interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/** What the wall shows at a moment. */
export function wallOf(at: string | number | Date, in_: string | undefined = zone): Wall {
  const parts = clock(in_).formatToParts(new Date(at));
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((p) => p.type === type)?.value);
  return { year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute') };
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Days change on the quarter of an hour: zones are whole quarters ahead of UTC. */
const quarter = 900_000;
/** Days that were asked for, by zone and quarter: a conversation asks for that of each of its thousands of messages. */
const days = new Map<string, string>();
const mostDays = 20_000;

/** The day of a moment: 2026-05-01. */
export function dayOf(at: string | number | Date, in_: string | undefined = zone): string {
  const key = `${in_} ${Math.floor(new Date(at).getTime() / quarter)}`;
  const known = days.get(key);
  if (known) return known;
  const w = wallOf(at, in_);
  const day = `${w.year}-${two(w.month)}-${two(w.day)}`;
  if (days.size >= mostDays) days.clear();
  days.set(key, day);
  return day;
}

/** The moment at which a day begins, or the day so many days later; undefined for what is no day. */
export function startOfDay(day: string, later = 0, in_: string | undefined = zone): string | undefined {
  const midnight = Date.parse(`${day}T00:00:00Z`) + later * dayLength;
  if (Number.isNaN(midnight)) return undefined;
  let at = midnight;
  for (let i = 0; i < 2; i++) at = midnight - ahead(at, in_); // the second time with the offset that holds there
  return new Date(at).toISOString();
}

/** By how many ms the wall is ahead of UTC at a moment. */
function ahead(at: number, in_: string | undefined): number {
  const w = wallOf(at, in_);
  const minute = Math.floor(at / 60_000) * 60_000;
  return Date.UTC(w.year, w.month - 1, w.day, w.hour, w.minute) - minute;
}
