import { describe, expect, it } from 'vitest';
import type { Action, Business } from './types';
import { hoursOf, mondayOf, openOn, partOn, weekOf } from './week';

const day = [{ open: '09:00', close: '18:00' }];
const business = {
  timezone: 'Asia/Tashkent',
  business_hours: { mon: day, tue: day, wed: [], thu: day, fri: [{ open: '20:00', close: '02:00' }], sat: [], sun: [], exceptions: [{ date: '2026-11-24', hours: [] }] },
  calendar_config: { min_notice_minutes: 60, horizon_days: 30, allowed_minutes: [30], buffer_minutes: 15, slot_step_minutes: 30, max_per_day: null },
} as unknown as Business;

describe('the week of a calendar', () => {
  it('begins on Monday', () => {
    expect(mondayOf('2026-11-29')).toBe('2026-11-23');
    expect(mondayOf('2026-11-23')).toBe('2026-11-23');
  });
  it('knows hours, exceptions and nights', () => {
    expect(openOn(business, '2026-11-23')).toEqual([{ from: 540, to: 1080 }]);
    expect(openOn(business, '2026-11-24')).toEqual([]);
    expect(openOn(business, '2026-11-27')).toEqual([{ from: 1200, to: 1440 }]);
    expect(openOn(business, '2026-11-28')).toEqual([{ from: 0, to: 120 }]);
  });
  it('cuts times at midnight by the clocks of the business', () => {
    expect(partOn('2026-11-23', '2026-11-23T05:00:00Z', '2026-11-23T05:30:00Z', 'Asia/Tashkent')).toEqual({ from: 600, to: 630 });
    expect(partOn('2026-11-24', '2026-11-23T18:00:00Z', '2026-11-23T20:00:00Z', 'Asia/Tashkent')).toEqual({ from: 0, to: 60 });
    expect(partOn('2026-11-25', '2026-11-23T18:00:00Z', '2026-11-23T20:00:00Z', 'Asia/Tashkent')).toBeUndefined();
  });
  it('draws what is taken, what stays free around it, what is booked and what waits', () => {
    const booked = { id: 'cac_1', type: 'CREATE', status: 'COMPLETED', starts_at: '2026-11-23T05:00:00Z', ends_at: '2026-11-23T05:30:00Z', extracted: {} };
    const waits = { id: 'cac_2', type: 'CREATE', status: 'PENDING', extracted: { start: '2026-11-26T05:00:00Z', end: '2026-11-26T05:30:00Z' } };
    const days = weekOf('2026-11-23', {
      business,
      busy: [{ start: '2026-11-23T05:00:00Z', end: '2026-11-23T05:30:00Z' }],
      actions: [booked, waits] as unknown as Action[],
      now: Date.parse('2026-11-23T04:00:00Z'),
    });
    expect(days[0]!.blocks.map((b) => `${b.kind} ${b.from}-${b.to}`)).toEqual([
      'open 540-1080',
      'buffer 585-600',
      'buffer 630-645',
      'busy 600-630',
      'booked 600-630',
      'notice 540-600',
    ]);
    expect(days[3]!.blocks.map((b) => b.kind)).toEqual(['open', 'waits']);
    expect(hoursOf(days)).toEqual({ from: 0, to: 24 });
  });
});
