// What every language writes in its own way.
export type Measure =
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'byte'
  | 'kilobyte'
  | 'megabyte'
  | 'gigabyte'
  | 'terabyte'
  | 'meter'
  | 'kilometer';

/** Dates and times are those of the organization's time zone (contract 21.2). */
export interface Format {
  locale: string;
  number: (n: number) => string;
  percent: (share: number) => string;
  date: (at: string | Date) => string;
  time: (at: string | Date) => string;
  /** "14:05". */
  clock: (at: string | Date) => string;
  /** A day of this year, for charts: "22 Nov". In a time zone, as "UTC", or in that of the organization. */
  day: (at: string | Date, zone?: string) => string;
  /** "November 2026", in UTC. */
  month: (at: string | Date) => string;
  /** The short names of the days of the week, Monday first. */
  weekdays: readonly string[];
  /** "2 hr", "17 MB". */
  measure: (n: number, unit: Measure, digits?: number) => string;
  /** "3 days ago", "in 2 hours"; "now" within a minute. */
  ago: (at: string | Date, now?: number) => string;
}
