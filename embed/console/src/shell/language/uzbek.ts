// Uzbek dates and numbers. Browsers carry no data of the language (Chromium knows
// neither its months nor its "ago"), so its words are here.
import type { Format } from './format';

const months = ['yan', 'fev', 'mar', 'apr', 'may', 'iyn', 'iyl', 'avg', 'sen', 'okt', 'noy', 'dek'];

/** The unit and its seconds. */
const units: readonly (readonly [unit: string, seconds: number])[] = [
  ['yil', 31_536_000], ['oy', 2_592_000], ['kun', 86_400], ['soat', 3600], ['daqiqa', 60],
];

/** Groups by spaces and has a comma before the fraction, as Russian does, which browsers know. */
const numbers = new Intl.NumberFormat('ru-RU');
const shares = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 1 });

const two = (n: number): string => String(n).padStart(2, '0');

const date = (at: string | Date): string => {
  const d = new Date(at);
  return `${d.getDate()}-${months[d.getMonth()]}, ${d.getFullYear()}`;
};

export function uzbek(locale: string, instant: number): Format {
  return {
    locale,
    number: (n) => numbers.format(n),
    percent: (share) => `${shares.format(share * 100)}%`,
    date,
    time: (at) => `${date(at)}, ${two(new Date(at).getHours())}:${two(new Date(at).getMinutes())}`,
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
