import { en } from '../locales/en';
import { ru } from '../locales/ru';
import { uz } from '../locales/uz';
import type { UiLang } from './prefs';

export type Key = keyof typeof en;
type Params = Record<string, string | number>;

/** The texts by language; a test holds their keys and placeholders equal. */
export const locales: Record<UiLang, Record<Key, string>> = { uz, ru, en };

/** Tags for numbers. Uzbek groups and points as Russian does, and browsers often lack it. */
const tags: Record<UiLang, string> = { uz: 'ru', ru: 'ru', en: 'en-GB' };

let current: UiLang = 'uz';

export function setLocale(lang: UiLang): void {
  current = lang;
}

export function lang(): UiLang {
  return current;
}

/**
 * t is the text of a key. `{name}` stands for a parameter; a text with `|` has
 * one form for each plural category, in the order of forms().
 */
export function t(key: Key, params: Params = {}): string {
  let text: string = locales[current][key];
  if (text.includes('|')) text = pick(text.split('|'), Number(params['n']));
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });
}

/** forms are the plural categories of a language that whole numbers have. */
export const forms: Record<UiLang, readonly Intl.LDMLPluralRule[]> = {
  uz: ['other'],
  ru: ['one', 'few', 'many'],
  en: ['one', 'other'],
};

function pick(variants: string[], n: number): string {
  const at = forms[current].indexOf(new Intl.PluralRules(current).select(n));
  return variants[at] ?? variants[variants.length - 1] ?? '';
}

export function number(n: number, digits = 0): string {
  return new Intl.NumberFormat(tags[current], { maximumFractionDigits: digits }).format(n);
}

/** duration says seconds as people do: `5 min`, `1 h 20 min`. */
export function duration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return t('time.minutes', { n: minutes });
  const rest = minutes % 60;
  const hours = t('time.hours', { n: Math.floor(minutes / 60) });
  return rest ? `${hours} ${t('time.minutes', { n: rest })}` : hours;
}

/** weekdays from Monday; browsers often lack Uzbek ones, so they are in the locale. */
export function weekdays(): string[] {
  return t('hours.days').split(',');
}
