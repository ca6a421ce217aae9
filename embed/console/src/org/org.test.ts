import { expect, test } from 'vitest';
import { everyDay, fullness, lineOf } from './limits';
import { changes, valuesOf } from './settings';
import type { Organization } from './settings';

const bazar = {
  name: 'Bazar',
  timezone: 'Asia/Tashkent',
  default_language: 'uz',
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
