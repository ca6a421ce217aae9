import { describe, expect, test } from 'vitest';
import { askedOf, firstDay, pieces, trend } from './types';

describe('what a board is asked for', () => {
  test('an address that nobody wrote falls back', () => {
    expect(askedOf({})).toEqual({
      board: 'BUSINESS_HEALTH',
      days: '30',
      channel: undefined,
      business: undefined,
      metric: undefined,
      of: undefined,
    });
    expect(askedOf({ board: 'DEMAND', days: 7, channel: 'SMOKE', of: 'cas_1' })).toMatchObject({
      board: 'DEMAND',
      days: '7',
      channel: undefined,
      of: 'cas_1',
    });
  });
  test('the first day counts today, in the zone of the organization', () => {
    const midnight = Date.parse('2026-11-20T20:00:00Z'); // the 21st in Tashkent
    expect(firstDay('7', 'Asia/Tashkent', midnight)).toBe('2026-11-15');
    expect(firstDay('7', 'UTC', midnight)).toBe('2026-11-14');
  });
});

describe('prose whose numbers lead to their metrics', () => {
  test('is cut at its links, in order', () => {
    const links = [
      { start: 20, end: 23, metric: 'satisfaction' },
      { start: 0, end: 3, metric: 'conversations' },
    ];
    expect(pieces('120 suhbat, mamnunlk 3,4.', links).map((p) => p.metric ?? '')).toEqual(['conversations', '', 'satisfaction', '']);
    expect(pieces('plain', [])).toEqual([{ text: 'plain' }]);
  });
  test('a link that does not fit is left out', () => {
    expect(pieces('12', [{ start: 0, end: 9, metric: 'x' }])).toEqual([{ text: '12' }]);
  });
});

describe('a change beside the time before', () => {
  const m = (key: string, value: number | null, previous: number | null) => ({
    key,
    label: key,
    value,
    previous,
    unit: 'SHARE' as const,
    max: null,
  });
  test('says whether it is good', () => {
    expect(trend(m('complaint', 0.2, 0.1))?.good).toBe(-1);
    expect(trend(m('satisfaction', 4, 3))?.good).toBe(1);
    expect(trend(m('conversations', 4, 3))?.good).toBe(0);
    expect(trend(m('conversations', null, 3))).toBeUndefined();
  });
});
