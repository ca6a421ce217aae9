// Dates and numbers as the language writes them.
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { currentLanguage, localeOf } from './i18n';
import type { Format } from './measures';
import { uzbek } from './uzbek';
import { currentZone, onZone } from './zone';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Below this a time is "now". */
const instant = 45;

export type { Format };

/** The first Monday of 2024. */
const monday = Date.UTC(2024, 0, 1);
const dayLength = 86_400_000;

/** The formats of a language in a time zone; undefined: that of the browser. */
export function formatFor(locale: string, timeZone?: string): Format {
  if (locale.startsWith('uz')) return uzbek(locale, instant, timeZone);
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone });
  const days = {
    made: new Map<string | undefined, Intl.DateTimeFormat>(),
    of(zone?: string) {
      const known = this.made.get(zone) ?? new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: zone });
      this.made.set(zone, known);
      return known;
    },
  };
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    locale,
    number: (n) => number.format(n),
    percent: (share) => percent.format(share),
    date: (at) => date.format(new Date(at)),
    time: (at) => time.format(new Date(at)),
    clock: (at) => clock.format(new Date(at)),
    day: (at, zone = timeZone) => days.of(zone).format(new Date(at)),
    month: (at) => new Date(at).toLocaleDateString(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    weekdays: Array.from({ length: 7 }, (_, i) =>
      new Date(monday + i * dayLength).toLocaleDateString(locale, { weekday: 'short', timeZone: 'UTC' }),
    ),
    measure: (n, unit, digits = 0) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(n),
    ago(at, now = Date.now()) {
      const seconds = Math.round((new Date(at).getTime() - now) / 1000);
      if (Math.abs(seconds) < instant) return relative.format(0, 'second');
      const [unit, size] = units.find(([, s]) => Math.abs(seconds) >= s) ?? ['minute', 60];
      return relative.format(Math.trunc(seconds / size) || Math.sign(seconds), unit);
    },
  };
}

// Of useTranslation this needs only that it is told, and there are hundreds on a page.
const which = (): string => `${localeOf(currentLanguage())} ${currentZone() ?? ''}`;
const onChange = (told: () => void): (() => void) => {
  i18next.on('languageChanged', told);
  const stop = onZone(told);
  return () => {
    i18next.off('languageChanged', told);
    stop();
  };
};

/** Once a language and time zone: the browser takes longer to make a format than to write a hundred numbers by it. */
const made = new Map<string, Format>();

/** The formats of the language of now, in the time zone of the organization; changes with them. */
export function useFormat(): Format {
  const key = useSyncExternalStore(onChange, which);
  const format = made.get(key) ?? formatFor(localeOf(currentLanguage()), currentZone());
  made.set(key, format);
  return format;
}
