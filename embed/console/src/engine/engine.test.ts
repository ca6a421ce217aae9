import { describe, expect, test } from 'vitest';
import { others } from './budget';
import { bodyOf, entriesOf, moved } from './chain';
import { diff } from './diff';
import { money } from '@kit';
import { bodyOf as bodyOfJev, draftOf, faultOf, type Jev } from './jev';
import { abilitiesOf, type Budget, burnDown, parts } from './types';

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

describe('the chain of an agent while it is edited', () => {
  test('an entry moves to another place, and nowhere else', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b'], 0, 2)).toEqual(['a', 'b']);
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  });
  test('what was not said stays unsaid', () => {
    const entry = { provider_id: 'aip_1', provider: null, model: 'm', temperature: 0, max_output_tokens: null, timeout_seconds: 20 };
    expect(bodyOf(entriesOf([entry as never]))).toEqual([
      { provider_id: 'aip_1', model: 'm', temperature: 0, max_output_tokens: null, timeout_seconds: 20 },
    ]);
  });
});

describe('what changed between two versions of a prompt', () => {
  const written = (before: string, after: string) =>
    diff(before, after)
      .map((p) => ({ same: p.text, gone: `[-${p.text}-]`, new: `{+${p.text}+}` })[p.kind])
      .join('');
  test('words that went and came', () => {
    expect(written('Be brief. Be kind.', 'Be brief. Be very kind.')).toBe('Be brief. Be {+very +}kind.');
    expect(written('Write one line.', 'Write two lines.')).toBe('Write [-one-]{+two+} [-line.-]{+lines.+}');
    expect(written('same', 'same')).toBe('same');
    expect(written('', 'all new')).toBe('{+all new+}');
    expect(written('all gone', '')).toBe('[-all gone-]');
    expect(written('a\nb', 'a\nc\nb')).toBe('a\n{+c\n+}b');
  });
  test('both texts can be read from the parts, whatever they are', () => {
    let seed = 7;
    const next = (n: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % n;
    };
    const text = () => Array.from({ length: next(40) }, () => ['narx ', 'и ', 'the\n', 'x', ' '][next(5)]).join('');
    for (let i = 0; i < 300; i++) {
      const [a, b] = [text(), text()];
      const parts = diff(a, b);
      const of = (kind: 'gone' | 'new') =>
        parts
          .filter((p) => p.kind === 'same' || p.kind === kind)
          .map((p) => p.text)
          .join('');
      expect(of('gone')).toBe(a);
      expect(of('new')).toBe(b);
    }
  });
  test('texts that have little in common are shown as replaced, soon', () => {
    const a = Array.from({ length: 4000 }, (_, i) => `a${i}`).join(' ');
    const begun = performance.now();
    const parts = diff(a, a.replaceAll('a', 'b'));
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(
      parts
        .filter((p) => p.kind === 'gone')
        .map((p) => p.text)
        .join('').length,
    ).toBeGreaterThan(1000);
  });
});

describe('the outside decision service', () => {
  const kept: Jev = {
    enabled: false,
    sharing_consent: false,
    base_url: null,
    api_key_set: true,
    timeout_ms: 2000,
    thresholds: { satisfaction: 0.8, stop: 0.9 },
    fallback: 'LLM',
    status: 'OFF',
    cooldown_until: null,
    last_test: null,
  };
  test('a key that nobody typed stays, one that is to go goes, and thresholds that were emptied are the usual ones', () => {
    const d = draftOf(kept);
    expect(d.thresholds.map((x) => x.field)).toEqual(['stop', 'satisfaction']);
    expect(bodyOfJev(d)).toMatchObject({ api_key: null, base_url: null, thresholds: { stop: 0.9, satisfaction: 0.8 } });
    const changed = {
      ...d,
      api_key: 'x',
      forget_key: true,
      base_url: ' https://jev.example.com ',
      thresholds: [{ field: 'stop', least: '' }],
    };
    expect(bodyOfJev(changed)).toMatchObject({ api_key: '', base_url: 'https://jev.example.com', thresholds: {} });
  });
  test('what a test says is told in words', () => {
    expect(faultOf('The service did not answer in time.').key).toBe('late');
    expect(faultOf('The service did not answer as agreed: status 401.')).toEqual({ key: 'status', status: '401' });
    expect(faultOf('The service did not answer as agreed: the answer is too long.').key).toBe('otherwise');
    expect(faultOf(null).key).toBe('otherwise');
  });
});
