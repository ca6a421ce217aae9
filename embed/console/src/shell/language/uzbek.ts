// Uzbek dates and numbers. Browsers carry no data of the language (Chromium knows
// neither its months nor its "ago"), so its words are here.
import type { Format, Measure } from './measures';
import { wallOf } from './zone';

const months = ['yan', 'fev', 'mar', 'apr', 'may', 'iyn', 'iyl', 'avg', 'sen', 'okt', 'noy', 'dek'];

const wholeMonths = ['yanvar', 'fevral', 'mart', 'aprel', 'may', 'iyun', 'iyul', 'avgust', 'sentabr', 'oktabr', 'noyabr', 'dekabr'];
const weekdays = ['Du', 'Se', 'Cho', 'Pa', 'Ju', 'Sha', 'Ya'];
const measures: Record<Measure, string> = {
  day: 'kun',
  hour: 'soat',
  minute: 'daqiqa',
  second: 'soniya',
  byte: 'bayt',
  kilobyte: 'KB',
  megabyte: 'MB',
  gigabyte: 'GB',
  terabyte: 'TB',
  meter: 'm',
  kilometer: 'km',
};

/** The unit and its seconds. */
const units: readonly (readonly [unit: string, seconds: number])[] = [
  ['yil', 31_536_000],
  ['oy', 2_592_000],
  ['kun', 86_400],
  ['soat', 3600],
  ['daqiqa', 60],
];

/** Groups by spaces and has a comma before the fraction, as Russian does, which browsers know. */
const numbers = new Intl.NumberFormat('ru-RU');
const shares = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 1 });

const two = (n: number): string => String(n).padStart(2, '0');

/** zone: undefined is that of the browser. */
export function uzbek(locale: string, instant: number, zone?: string): Format {
  const day = (at: string | Date, of = zone) => {
    const w = wallOf(at, of);
    return `${w.day}-${months[w.month - 1]}`;
  };
  const date = (at: string | Date) => `${day(at)}, ${wallOf(at, zone).year}`;
  const clock = (at: string | Date) => `${two(wallOf(at, zone).hour)}:${two(wallOf(at, zone).minute)}`;
  return {
    locale,
    number: (n) => numbers.format(n),
    percent: (share) => `${shares.format(share * 100)}%`,
    date,
    time: (at) => `${date(at)}, ${clock(at)}`,
    clock,
    day,
    month: (at) => `${new Date(at).getUTCFullYear()}-yil ${wholeMonths[new Date(at).getUTCMonth()]}`,
    weekdays,
    measure: (n, unit, digits = 0) => `${new Intl.NumberFormat('ru-RU', { maximumFractionDigits: digits }).format(n)} ${measures[unit]}`,
    ago(at, now = Date.now()) {
      const seconds = Math.round((new Date(at).getTime() - now) / 1000);
      if (Math.abs(seconds) < instant) return 'hozir';
      const [unit, size] = units.find(([, s]) => Math.abs(seconds) >= s) ?? units[units.length - 1]!;
      const n = Math.max(1, Math.trunc(Math.abs(seconds) / size));
      if (unit === 'kun' && n === 1) return seconds < 0 ? 'kecha' : 'ertaga';
      return seconds < 0 ? `${numbers.format(n)} ${unit} oldin` : `${numbers.format(n)} ${unit}dan keyin`;
    },
  };
}
