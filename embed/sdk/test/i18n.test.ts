import { afterEach, describe, expect, it } from 'vitest';
import { duration, forms, lang, locales, setLocale, t, weekdays, type Key } from '../app/src/i18n';
import { langs } from '../app/src/prefs';
import { distanceText, words } from '../src/i18n/words';

const keys = Object.keys(locales.en).sort() as Key[];
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

afterEach(() => setLocale('uz'));

describe.each(langs)('%s', (l) => {
  it('has every key and no other', () => expect(Object.keys(locales[l]).sort()).toEqual(keys));

  it.each(keys)('%s is written and has the placeholders of English', (key) => {
    expect(locales[l][key].trim()).toBe(locales[l][key]);
    expect(locales[l][key]).not.toBe('');
    for (const variant of locales[l][key].split('|')) expect(placeholders(variant)).toEqual(placeholders(locales.en[key].split('|')[0]!));
  });

  it('has one form for each plural category', () => {
    for (const key of keys) {
      const n = locales[l][key].split('|').length;
      if (locales.en[key].includes('|')) expect(n, key).toBe(forms[l].length);
      else expect(n, key).toBe(1);
    }
  });

  it('has the plural categories of the standard', () => {
    const all = new Set(Array.from({ length: 200 }, (_, n) => new Intl.PluralRules(l).select(n)));
    expect([...all].filter((c) => !forms[l].includes(c)).filter(() => l !== 'uz')).toEqual([]);
  });

  it('names seven days', () => {
    setLocale(l);
    expect(lang()).toBe(l);
    expect(weekdays()).toHaveLength(7);
  });
});

describe('Uzbek', () => {
  const texts = [...Object.values(locales.uz), ...Object.values(words.uz).map((v) => (typeof v === 'function' ? v(2) : v))];
  it('uses the letters oʻ and gʻ with U+02BB and the apostrophe U+02BC', () => {
    for (const text of texts) {
      expect(text, 'another apostrophe').not.toMatch(/['’‘`´]/);
      expect(text, 'ʻ stands after o and g only').not.toMatch(/(^|[^oOgG])ʻ/);
      expect(text, 'ʼ never stands after o or g').not.toMatch(/[oOgG]ʼ/);
    }
  });
  it('is in Latin script', () => {
    for (const text of texts) expect(text).not.toMatch(/\p{Script=Cyrillic}/u);
  });
});

it('Russian is in Cyrillic where it has words', () => {
  for (const key of keys) {
    const bare = locales.ru[key].replace(/\{\w+\}|[^\p{L}]|API|TileJSON|GTFS|Valhalla|key|X-API-Key|X|Key/gu, '');
    if (bare) expect(bare, key).toMatch(/\p{Script=Cyrillic}/u);
  }
});

it('chooses the plural of a number', () => {
  setLocale('ru');
  expect([1, 3, 5, 21].map((n) => t('directions.found', { n }))).toEqual([
    'Найден 1 маршрут',
    'Найдено 3 маршрута',
    'Найдено 5 маршрутов',
    'Найден 21 маршрут',
  ]);
  setLocale('en');
  expect(t('directions.found', { n: 1 })).toBe('1 route found');
  setLocale('uz');
  expect(t('directions.found', { n: 4 })).toBe('4 ta marshrut topildi');
});

it('says times and distances', () => {
  setLocale('en');
  expect([10, 300, 3600, 4815].map(duration)).toEqual(['1 min', '5 min', '1 h', '1 h 20 min']);
  expect([3, 47, 344, 949, 1234, 57_300].map((m) => distanceText(m, 'en'))).toEqual(['3 m', '47 m', '340 m', '950 m', '1.2 km', '57 km']);
  expect(distanceText(1234, 'ru')).toBe('1,2 км');
});
