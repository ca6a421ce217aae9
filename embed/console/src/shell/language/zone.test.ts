import { afterEach, expect, test } from 'vitest';
import { filterOf } from '../list/state';
import { formatFor } from './format';
import { currentZone, dayOf, setZone, startOfDay, wallOf } from './zone';

afterEach(() => setZone(undefined));

test('a day begins when it begins in the time zone of the organization', () => {
  setZone('Asia/Tashkent');
  expect(startOfDay('2026-05-01')).toBe('2026-04-30T19:00:00.000Z');
  expect(startOfDay('2026-05-01', 1)).toBe('2026-05-01T19:00:00.000Z');
  expect(dayOf('2026-04-30T19:00:00Z')).toBe('2026-05-01');
  expect(dayOf('2026-04-30T18:59:59Z')).toBe('2026-04-30');
  expect(startOfDay('nothing')).toBeUndefined();
});

test.each([
  ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'], // 23 hours
  ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'], // 25 hours
])('%s has as many hours as the clocks of Berlin make of it', (day, from, to) => {
  setZone('Europe/Berlin');
  expect([startOfDay(day), startOfDay(day, 1)]).toEqual([from, to]);
});

test('a day is that of its own zone and quarter of an hour, however often it is asked for', () => {
  for (let again = 0; again < 2; again++) {
    expect(dayOf('2026-04-30T18:14:59Z', 'Asia/Kathmandu')).toBe('2026-04-30');
    expect(dayOf('2026-04-30T18:15:00Z', 'Asia/Kathmandu')).toBe('2026-05-01');
    expect(dayOf('2026-04-30T18:15:00Z', 'Asia/Tashkent')).toBe('2026-04-30');
  }
  expect(() => dayOf('nothing')).toThrow(RangeError);
});

test('half hours count', () => {
  setZone('Asia/Kolkata');
  expect(startOfDay('2026-05-01')).toBe('2026-04-30T18:30:00.000Z');
  expect(wallOf('2026-04-30T18:30:00Z')).toEqual({ year: 2026, month: 5, day: 1, hour: 0, minute: 0 });
});

test('a time zone that the browser does not know leaves its own', () => {
  setZone('Asia/Tashkent');
  setZone('Moon/Sea');
  expect(currentZone()).toBeUndefined();
});

test.each(['uz-Latn', 'ru-RU', 'en-GB'])('%s shows dates and times of that zone', (locale) => {
  const f = formatFor(locale, 'Asia/Tashkent');
  const at = '2026-04-30T20:05:00Z';
  expect(f.time(at)).toMatch(/0?1:05/);
  expect(f.time(at)).toContain('2026');
  expect(f.clock(at)).toBe('01:05');
  expect(f.day(at)).toMatch(/^0?1/);
  expect(f.day(at, 'UTC')).toMatch(/^30/);
});

test('the days of a filter are those of the organization', () => {
  setZone('Asia/Tashkent');
  const shapes = { many: [], from: ['from'], to: ['to'] };
  expect(filterOf({ q: '', filters: { from: '2026-05-01', to: '2026-05-01' } }, shapes)).toEqual({
    from: '2026-04-30T19:00:00.000Z',
    to: '2026-05-01T19:00:00.000Z',
  });
});
