import i18next from 'i18next';
import { describe, expect, test } from 'vitest';
import { barsOf } from './Charts';
import { durationOf } from './duration';
import { merged } from './edit/draft';
import { shaped } from './edit/Repetition';
import { conditionOf } from './edit/Conditions';
import { finishOf, recentPerHour } from './estimate';
import { followed } from './FollowUp';
import { csvOf } from './People';
import { sentences } from './found';
import { groupOf, mayChange, mendAt, type Repeat } from './model';
import { nextRun } from './repeat';
import { localOf, momentOf } from './zone';
import en from './locales/en.json';
import ru from './locales/ru.json';
import uz from './locales/uz.json';
import { paused, resumed } from './status';

const texts = { en, ru, uz };

test('what may change follows from the status', () => {
  expect(mayChange({ status: 'DRAFT' }, 'audience')).toBe(true);
  expect(mayChange({ status: 'RUNNING' }, 'end_at')).toBe(true);
  expect(mayChange({ status: 'RUNNING' }, 'message.text')).toBe(false);
  expect(mayChange({ status: 'PAUSED' }, 'message.text')).toBe(true);
  expect(mayChange({ status: 'COMPLETED' }, 'name')).toBe(false);
});

test('each of the 25 checks has its group; those of others have a place where they are mended', () => {
  expect(Object.keys(groupOf)).toHaveLength(25);
  expect(mendAt('opt_out_link', 'cmp_1')).toBe('/campaigns/cmp_1/edit?step=message');
  expect(mendAt('opt_out_link', 'cmp_1', 'WARN')).toBeUndefined();
  expect(mendAt('accounts_authorized', 'cmp_1')).toBe('/accounts');
  expect(mendAt('organization_active', 'cmp_1')).toBeUndefined();
});

test('changes that wait become one', () => {
  expect(merged({ name: 'a', message: { text: 'x' } }, { message: { format: 'HTML' }, audience: { tags: ['t'] } })).toEqual({
    name: 'a',
    message: { text: 'x', format: 'HTML' },
    audience: { tags: ['t'] },
  });
  expect(merged({ audience: { tags: ['a'], list_ids: ['l'] } }, { audience: { tags: [] } })).toEqual({
    audience: { tags: [], list_ids: ['l'] },
  });
});

test('one estimate, the service’s, as a time on the clock from when it begins', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  expect(finishOf({ scheduled_at: null }, { estimated_hours: 1.5 }, now)?.toISOString()).toBe('2026-05-01T11:30:00.000Z');
  expect(finishOf({ scheduled_at: '2026-05-02T04:00:00Z' }, { estimated_hours: 1.5 }, now)?.toISOString()).toBe('2026-05-02T05:30:00.000Z');
  expect(finishOf({ scheduled_at: '2026-04-02T04:00:00Z' }, { estimated_hours: 0 }, now)?.getTime()).toBe(now);
  expect(finishOf({ scheduled_at: null }, { estimated_hours: null }, now)).toBeNull();
});

test('the speed is that of the last hours, not the average since the beginning', () => {
  const now = Date.parse('2026-05-02T10:30:00Z');
  const hourOf = (at: string, delivered: number, failed = 0) => ({ at, delivered, failed });
  const timeline = [hourOf('2026-05-01T08:00:00Z', 10), hourOf('2026-05-02T09:00:00Z', 800, 100), hourOf('2026-05-02T10:00:00Z', 450)];
  expect(recentPerHour(timeline, '2026-05-01T08:00:00Z', now)).toBe(900);
  expect(recentPerHour(timeline, '2026-05-02T10:00:00Z', now)).toBe(2700); // since it began
  expect(recentPerHour(timeline.slice(0, 1), null, now)).toBeUndefined();
});

test('a follow-up is for those whom it did not reach, who are silent, or who answered', () => {
  const totals = { total: 100, pending: 5, completed: 70, failed: 10, skipped: 14, cancelled: 1 };
  expect(followed(totals, { read: 40, replied: 8 })).toEqual({ UNREACHED: 25, NOT_REPLIED: 62, NOT_READ: 30, REPLIED: 8 });
});

test('the file of people has the filters of the list, and all of its pages', () => {
  expect(csvOf('cmp_1', '?tab=people&page=3&status=FAILED&q=a&sort=failed_first')).toBe(
    '/api/v1/campaigns/cmp_1/recipients?status=FAILED&sort=failed_first&format=csv',
  );
});

test('a condition is sent when it says something, as its comparison wants it', () => {
  expect(conditionOf('', 'eq', ['x'])).toBeUndefined();
  expect(conditionOf('language', 'eq', [' '])).toBeUndefined();
  expect(conditionOf('attributes.city', 'contains', ['tosh'])).toEqual({ field: 'attributes.city', op: 'contains', value: 'tosh' });
  expect(conditionOf('attributes.city', 'in', ['a', '', 'b'])).toEqual({ field: 'attributes.city', op: 'in', value: ['a', 'b'] });
  expect(conditionOf('attributes.city', 'exists', ['false'])).toEqual({ field: 'attributes.city', op: 'exists', value: false });
});

test('every hour is on the axis, also one in which nothing happened', () => {
  const at = (h: number) => new Date(Date.UTC(2026, 4, 1, h)).toISOString();
  const bars = barsOf([3, 6].map((h) => ({ at: at(h), delivered: 1, failed: 0 })));
  expect(bars.map((b) => [b.at, b.delivered])).toEqual([
    [at(3), 1],
    [at(4), 0],
    [at(5), 0],
    [at(6), 1],
  ]);
  expect(barsOf([])).toEqual([]);
});

test('times are those of the campaign’s zone', () => {
  expect(localOf('2026-05-01T05:00:00Z', 'Asia/Tashkent')).toBe('2026-05-01 10:00:00');
  expect(momentOf('2026-05-01 10:00:00', 'Asia/Tashkent')).toBe('2026-05-01T05:00:00.000Z');
});

describe('a repetition', () => {
  const rule: Repeat = {
    frequency: 'MONTHLY',
    interval: 1,
    weekdays: [],
    day_of_month: 31,
    time: '10:00',
    timezone: 'Asia/Tashkent',
    until: null,
    max_runs: null,
    audience: 'ALL',
  };
  const first = new Date('2026-01-31T05:00:00Z');
  const next = (r: Repeat, now: string, from = first) => nextRun(r, from, new Date(now))?.toISOString();
  test('takes the last day of a short month', () => {
    expect(next(rule, '2026-02-01T00:00:00Z')).toBe('2026-02-28T05:00:00.000Z');
    expect(next({ ...rule, day_of_month: 'LAST' }, '2026-04-01T00:00:00Z')).toBe('2026-04-30T05:00:00.000Z');
  });
  test('counts intervals from the first run', () => {
    expect(next({ ...rule, interval: 2 }, '2026-02-01T00:00:00Z')).toBe('2026-03-31T05:00:00.000Z');
    const weekly: Repeat = { ...rule, frequency: 'WEEKLY', weekdays: ['MO', 'FR'], interval: 2 };
    expect(next(weekly, '2026-01-06T00:00:00Z', new Date('2026-01-05T05:00:00Z'))).toBe('2026-01-09T05:00:00.000Z');
    expect(next(weekly, '2026-01-10T00:00:00Z', new Date('2026-01-05T05:00:00Z'))).toBe('2026-01-19T05:00:00.000Z');
    expect(next({ ...rule, frequency: 'DAILY', interval: 3 }, '2026-02-01T00:00:00Z')).toBe('2026-02-03T05:00:00.000Z');
  });
  test('ends', () => {
    expect(next({ ...rule, until: '2026-02-15T00:00:00Z' }, '2026-02-01T00:00:00Z')).toBeUndefined();
  });
  test('sends only what belongs to its frequency', () => {
    expect(shaped({ ...rule, frequency: 'DAILY', weekdays: ['MO'] })).toMatchObject({ weekdays: [], day_of_month: null });
  });
});

test('many hours are drawn as days', () => {
  const hours = Array.from({ length: 100 }, (_, i) => ({ at: new Date(2026, 0, 1, i).toISOString(), delivered: 1, failed: 0 }));
  const bars = barsOf(hours);
  expect(bars.length).toBe(5);
  expect(bars.reduce((n, b) => n + b.delivered, 0)).toBe(100);
  expect(barsOf(hours.slice(0, 24))).toHaveLength(24);
});

test.each([
  [0.001, 'minute', 1],
  [0.99, 'minute', 59],
  [1.26, 'hour', 1.3],
  [47.9, 'hour', 47.9],
  [60, 'day', 2.5],
] as const)('%s hours are said in the unit that people use', (hours, unit, count) => {
  expect(durationOf(hours)).toEqual({ unit, count });
});

test.each([
  ['en', 'person will', 'people will'],
  ['ru', 'пропущен 1 человек', 'пропущены 2 человека'],
  ['uz', '1 kishi', '2 kishi'],
])('in %s one person is one', async (lng, one, two) => {
  const i = i18next.createInstance();
  await i.init({ lng, resources: { [lng]: { translation: texts[lng as keyof typeof texts] } } });
  const say = (count: number) => i.t('found.someVariable', { variables: 'city', n: String(count), count });
  expect(say(1)).toContain(one);
  expect(say(2)).toContain(two);
});

test.each([
  ['plan_limits', 'The plan allows 5 (active_campaigns), and 6 would be in use.', 'planFull'],
  ['template_variables', '1 person has no value for {{city}} and will be skipped.', 'someVariable'],
  ['template_variables', 'Nobody in the audience has a value for {{citi}}; correct the name, or add the values.', 'noVariable'],
  ['accounts_healthy', 'These accounts are restricted or cannot be reached: Sales; mend them, or take them off the campaign.', 'ill'],
  ['accounts_healthy', 'These accounts are paused and send nothing: Sales, Shop.', 'paused'],
  ['proxies_reachable', 'The proxy of the only active account cannot be used: Sales; mend it.', 'proxyBroken'],
  ['capacity', 'It cannot be done before its end: the accounts need until 2 May 2026 10:00 UTC. Add accounts, or move the end.', 'tooLate'],
  [
    'quiet_hours',
    'It would send at 03:17 (4 May 2026, Asia/Tashkent), when people sleep; choose sending hours between 08:00 and 21:00.',
    'atNight',
  ],
  ['opt_out_link', 'The text does not contain {{opt_out_url}}; everybody must be able to opt out.', undefined],
])('%s is told with what it names: %s', (check, message, want) => {
  const found = sentences[check]?.find(([sign]) => sign.test(message));
  expect(found?.[1]).toBe(want);
  for (const [name, text] of Object.entries(found?.[0].exec(message)?.groups ?? {}))
    expect([name, text]).toEqual([name, expect.stringMatching(/^\S/)]);
});

test('a campaign that is paused or resumed shows it before the server has answered', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  const c = {
    status: 'RUNNING',
    pause_reason: null,
    waiting_reason: 'OUTSIDE_WINDOW',
    started_at: '2026-05-01T09:00:00Z',
    scheduled_at: null,
  } as const;
  expect(paused(c as never)).toMatchObject({ status: 'PAUSED', pause_reason: 'USER', waiting_reason: null });
  const off = { ...c, status: 'PAUSED', pause_reason: 'USER' } as never as Parameters<typeof resumed>[0];
  expect(resumed(off, now)).toMatchObject({ status: 'RUNNING', pause_reason: null });
  const waits = { ...off, started_at: null, scheduled_at: '2026-05-01T11:00:00Z' };
  expect(resumed(waits, now).status).toBe('SCHEDULED');
  expect(resumed({ ...waits, scheduled_at: '2026-05-01T09:00:00Z' }, now).status).toBe('RUNNING');
});
