import { expect, test } from 'vitest';
import { everyDay, fullness, lineOf } from './limits';
import { changes, valuesOf } from './settings';
import type { Organization } from './settings';
import { hoursProblem, usualHours } from './settings';

const bazar = {
  name: 'Bazar',
  timezone: 'Asia/Tashkent',
  default_language: 'uz',
  default_sending_window: { weekdays: ['MO', 'TU'], start: '09:00', end: '20:00' },
  retention: { messages_days: null, events_days: 90, executions_days: 30 },
  opt_out_page: { title: null, text: null, language: 'uz' },
  stop_keywords: { uz: ['yoʻq'], ru: [], en: [] },
} as unknown as Organization;

test('only what was changed is sent', () => {
  expect(changes(bazar, valuesOf(bazar))).toEqual({});
  const v = valuesOf(bazar);
  expect(
    changes(bazar, { ...v, retention: { ...v.retention, messages_days: 90 }, stop_keywords: { ...v.stop_keywords, ru: ['стоп'] } }),
  ).toEqual({
    retention: { messages_days: 90 },
    stop_keywords: { ru: ['стоп'] },
  });
  expect(changes(bazar, { ...v, retention: { ...v.retention, executions_days: 14 } })).toEqual({ retention: { executions_days: 14 } });
  expect(changes(bazar, { ...v, retention: { ...v.retention, executions_days: '' } })).toEqual({});
});

test('a limit is free, near or full; null is no limit', () => {
  expect(lineOf(null, 7)).toEqual({ kind: 'unlimited' });
  expect(lineOf(false, 0)).toEqual({ kind: 'no' });
  expect([8, 9, 10].map((used) => lineOf(10, used))).toMatchObject([{ level: 'free' }, { level: 'near' }, { level: 'full' }]);
  expect([fullness(10, 5), fullness(10, 12), fullness(0, 0)]).toEqual([50, 100, 100]);
});

test('days without messages are drawn too', () => {
  expect(everyDay([{ key: '2026-02-28' }], '2026-02-27', '2026-03-01').map((d) => [d.day, d.row !== undefined])).toEqual([
    ['2026-02-27', false],
    ['2026-02-28', true],
    ['2026-03-01', false],
  ]);
});

test('hours that were changed are sent whole, and null when they were turned off', () => {
  const v = valuesOf(bazar);
  const later = { ...v.default_sending_window!, end: '24:00' };
  expect(changes(bazar, { ...v, default_sending_window: later })).toEqual({ default_sending_window: later });
  expect(changes(bazar, { ...v, default_sending_window: null })).toEqual({ default_sending_window: null });
});

test.each([
  [null, null],
  [usualHours, null],
  [{ ...usualHours, end: '24:00' }, null],
  [{ ...usualHours, weekdays: [] }, 'noDay'],
  [{ ...usualHours, start: '' }, 'noTime'],
  [{ ...usualHours, end: '09:00' }, 'same'],
] as const)('hours %j: %s', (hours, want) => expect(hoursProblem(hours as never)).toBe(want));
