import type { Range } from './types';

const two = (n: number): string => String(n).padStart(2, '0');

/** Minutes from midnight as a clock shows them; what is past midnight begins at 00:00 again. */
export const clock = (minutes: number): string => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;

/** The hours of a day as text; empty when it is closed. */
export const dayText = (ranges: readonly Range[]): string =>
  ranges.map((r) => (r.open === 0 && r.close === 1440 ? '00:00–24:00' : `${clock(r.open)}–${clock(r.close)}`)).join(', ');
