// Times of a campaign are in its own time zone, whatever the browser's is.
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone';
import utc from 'dayjs/plugin/utc';

dayjs.extend(utc);
dayjs.extend(timezone);

const shape = 'YYYY-MM-DD HH:mm:ss';

/** A moment as the clocks of a zone show it, for a date picker. */
export function localOf(at: string | null, zone: string): string | null {
  return at ? dayjs(at).tz(zone).format(shape) : null;
}

/** What a date picker shows as a moment. */
export function momentOf(local: string | null, zone: string): string | null {
  return local ? dayjs.tz(local, zone).toISOString() : null;
}

/** The zones that the browser knows, with the one that is set. */
export function zones(current: string): string[] {
  const all = Intl.supportedValuesOf('timeZone');
  return all.includes(current) ? all : [current, ...all];
}
