import { describe, expect, test } from 'vitest';
import { others } from './budget';
import { abilitiesOf, type Budget, burnDown, money, parts } from './types';

const found = { tested_at: '2026-11-23T10:00:00Z', text: true, json_schema: false, json_object: false, tools: false, embedding: false };

describe('what is shown of the AI engine', () => {
  test('a provider can do what any of its models can', () => {
    expect(abilitiesOf(null)).toEqual([]);
    expect(abilitiesOf({ a: found, b: { ...found, tools: true } })).toEqual(['text', 'tools']);
  });
  test('small amounts keep the digits that say something', () => {
    expect(money(0, 'en')).toBe('$0.00');
    expect(money(0.000012, 'en')).toBe('$0.000012');
    expect(money(0.0314, 'en')).toBe('$0.0314');
    expect(money(1234.5, 'en')).toBe('$1,234.50');
  });
  test('spent and reserved of a budget are never more than the whole', () => {
    expect(parts({ limit_usd: 10, spent_usd: 4, reserved_usd: 1 })).toEqual({ spent: 40, reserved: 10 });
    expect(parts({ limit_usd: 10, spent_usd: 9, reserved_usd: 5 })).toEqual({ spent: 90, reserved: 10 });
    expect(parts({ limit_usd: 10, spent_usd: 30, reserved_usd: 5 })).toEqual({ spent: 100, reserved: 0 });
    expect(parts({ limit_usd: 0, spent_usd: 0, reserved_usd: 0 })).toEqual({ spent: 0, reserved: 0 });
  });
  test('days without cost are in the sum', () => {
    const rows = [
      { key: '2026-11-01', cost_usd: 1 },
      { key: '2026-11-03', cost_usd: 2 },
    ];
    expect(burnDown(rows, '2026-11-01', '2026-11-03')).toEqual([
      { day: '2026-11-01', cost: 1, sum: 1 },
      { day: '2026-11-02', cost: 0, sum: 1 },
      { day: '2026-11-03', cost: 2, sum: 3 },
    ]);
  });
  test('a change of one budget writes the others as they are, and none of the platform', () => {
    const b = (id: string, source: Budget['source']): Budget => ({
      id,
      source,
      period: 'DAY',
      agent: null,
      limit_usd: 1,
      on_limit: 'STOP',
      alert_thresholds: [50],
      spent_usd: 0,
      reserved_usd: 0,
      resets_at: '2026-11-24T00:00:00Z',
    });
    const all = [b('bgt_1', 'ORGANIZATION'), b('bgt_2', 'ORGANIZATION'), b('bgt_3', 'PLATFORM')];
    expect(others(all, all[0])).toEqual([{ period: 'DAY', agent: null, limit_usd: 1, on_limit: 'STOP', alert_thresholds: [50] }]);
    expect(others(all)).toHaveLength(2);
  });
});
