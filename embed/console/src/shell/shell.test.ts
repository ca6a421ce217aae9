import { describe, expect, test, vi } from 'vitest';
import { pageAt } from './ahead';
import { IntentKey } from './api/action';
import { isBelow } from './api/below';
import { call } from './api/client';
import { ApiError, problemOf } from './api/error';
import { parseSearch, stringifySearch } from './api/address';
import { formatFor } from './language/format';
import { filterOf, queryOf, readList } from './list/state';
import { Gate } from './session/gate';
import { inSupport, may, type Me } from './session/me';
import { refusedAsSupport } from './session/support';

const me = (change: object): Me =>
  ({
    permissions: ['recipients:read', 'recipients:manage'],
    organization: { id: 'org_1', status: 'ACTIVE' },
    organizations: [{ organization: { id: 'org_1' } }],
    user: { is_platform_admin: false },
    ...change,
  }) as unknown as Me;

describe('permissions', () => {
  test('are what the API says', () => {
    expect(may(me({}), 'recipients:manage', false)).toBe(true);
    expect(may(me({}), 'campaigns:read', false)).toBe(false);
    expect(may(me({}), 'platform', false)).toBe(false);
    expect(may(me({ user: { is_platform_admin: true } }), 'platform', false)).toBe(true);
  });
  test('of a suspended organization and of support only read', () => {
    const suspended = me({ organization: { id: 'org_1', status: 'SUSPENDED' } });
    expect(may(suspended, 'recipients:manage', false)).toBe(false);
    expect(may(suspended, 'recipients:read', false)).toBe(true);
    expect(may(me({}), 'recipients:manage', true)).toBe(false);
  });
  test('support is a look at an organization that one is no member of, or that the API names so', () => {
    expect(inSupport(me({ user: { is_platform_admin: true }, organizations: [] }), false)).toBe(true);
    expect(inSupport(me({ user: { is_platform_admin: true } }), false)).toBe(false);
    expect(inSupport(me({ user: { is_platform_admin: true } }), true)).toBe(true);
    expect(inSupport(me({ user: { is_platform_admin: true }, support: true }), false)).toBe(true);
  });
  test.each([
    ['support_session', true],
    ['support_read_only', true],
    ['forbidden', false],
  ])('a refusal with %s tells of support: %s', async (code, want) => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ error: { code, message: 'No.' } }, { status: 403 })));
    const told = vi.fn();
    const stop = refusedAsSupport.subscribe(told);
    await expect(call('get', '/admin/system', {})).rejects.toMatchObject({ code });
    expect([refusedAsSupport.snapshot(), told.mock.calls.length]).toEqual([want, want ? 1 : 0]);
    stop();
    refusedAsSupport.forget();
    vi.unstubAllGlobals();
  });
});

test('a request behind the gate waits until somebody signed in', async () => {
  const gate = new Gate();
  const told = vi.fn();
  gate.subscribe(told);
  let through = false;
  const waiting = gate.passed().then(() => {
    through = true;
  });
  expect(gate.closed).toBe(true);
  await Promise.resolve();
  expect(through).toBe(false);
  gate.open();
  await waiting;
  expect([gate.closed, told.mock.calls.length]).toEqual([false, 2]);
});

describe('the key of an intent', () => {
  const lost = new ApiError({ code: 'network', message: '' });
  test('stays while nobody knows whether it happened', () => {
    const intent = new IntentKey();
    const first = intent.of({ a: 1 });
    intent.settled(lost);
    expect(intent.of({ a: 1 })).toBe(first);
  });
  test('changes with the body, and when an answer came', () => {
    const intent = new IntentKey();
    const first = intent.of({ a: 1 });
    expect(intent.of({ a: 2 })).not.toBe(first);
    const second = intent.of({ a: 2 });
    intent.settled();
    expect(intent.of({ a: 2 })).not.toBe(second);
  });
});

test('a refusal keeps what a person needs', () => {
  const response = new Response('', { status: 429, headers: { 'X-Request-Id': 'r1', 'Retry-After': '7' } });
  const e = problemOf(response, { error: { code: 'rate_limited', message: 'Too many.', details: { name: 'is needed' } } });
  expect([e.code, e.status, e.requestId, e.retryAfter, e.details.name, e.passing]).toEqual([
    'rate_limited',
    429,
    'r1',
    7,
    'is needed',
    true,
  ]);
  expect(problemOf(new Response('', { status: 502 }), undefined).code).toBe('unreadable_answer');
});

describe('the address of a list', () => {
  test('goes there and back as plain parameters', () => {
    const search = { q: '7', tag: ['a', 'b&c'], page: '2' };
    expect(parseSearch(stringifySearch(search).slice(1))).toEqual(search);
    expect(stringifySearch({ q: '', page: undefined })).toBe('');
  });
  const shapes = { many: ['tag'], from: ['created_from'], to: ['created_to'] };
  test('becomes the parameters of the API', () => {
    const s = readList({ q: 'ol', page: '3', tag: 'vip', created_from: '2026-05-01', created_to: '2026-05-01', other: 'x' }, [
      'tag',
      'created_from',
      'created_to',
    ]);
    const q = queryOf(s, shapes, '-created_at');
    expect(q).toMatchObject({ q: 'ol', tag: ['vip'], sort: '-created_at', limit: 50, offset: 100 });
    expect(new Date(q.created_to as string).getTime() - new Date(q.created_from as string).getTime()).toBe(24 * 3600_000);
    expect(q).not.toHaveProperty('other');
  });
  test('of nonsense is the first page', () => {
    expect(readList({ page: '-1' }, []).page).toBe(1);
    expect(filterOf(readList({ q: 'o', created_from: 'yesterday' }, ['created_from']), shapes)).toEqual({});
  });
});

test('the page at an address is fetched ahead: the one with the fewest parameters, and none for no page', () => {
  const load = () => Promise.reject(new Error('not here'));
  const features = [
    { name: 'recipient', pages: ['/recipients', '/recipients/$id', '/recipients/new'].map((path) => ({ path, load })) },
    { name: 'overview', pages: [{ path: '/', load }] },
  ];
  const found = (path: string) => pageAt(features, path)?.page.path;
  expect([found('/recipients/new'), found('/recipients/rcp_1/'), found('/'), found('')]).toEqual([
    '/recipients/new',
    '/recipients/$id',
    '/',
    '/',
  ]);
  expect([found('/recipients/a/b'), found('/nowhere')]).toEqual([undefined, undefined]);
});

test('a path is meant with what is below it, and not with its namesake', () => {
  expect(isBelow('/recipients/{id}', ['/recipients'])).toBe(true);
  expect(isBelow('/recipient-imports', ['/recipients'])).toBe(false);
});

test('dates and numbers are written as the language does', () => {
  const uz = formatFor('uz-Latn-UZ');
  expect(uz.date('2026-11-21T08:00:00Z')).toBe('21-noy, 2026');
  expect(uz.time(new Date(2026, 2, 5, 7, 4))).toBe('5-mar, 2026, 07:04');
  expect([uz.day('2026-11-21T23:30:00Z', 'UTC'), uz.day('2026-11-21T23:30:00Z', 'Asia/Tashkent'), uz.day(new Date(2026, 4, 3))]).toEqual([
    '21-noy',
    '22-noy',
    '3-may',
  ]);
  expect(uz.month('2026-11-01T00:00:00Z')).toBe('2026-yil noyabr');
  expect([uz.weekdays[0], formatFor('ru-RU').weekdays[6], formatFor('en-GB').weekdays[0]]).toEqual(['Du', 'вс', 'Mon']);
  expect([uz.measure(4, 'second'), uz.measure(1.25, 'gigabyte', 1), formatFor('en-GB').measure(2, 'hour')]).toEqual([
    '4 soniya',
    '1,3 GB',
    '2 hrs',
  ]);
  expect(uz.number(1234567.8).replace(/\s/g, ' ')).toBe('1 234 567,8');
  expect(uz.percent(0.125)).toBe('12,5%');
  expect(uz.ago('2026-11-21T10:00:00Z', Date.parse('2026-11-21T08:00:00Z'))).toBe('2 soatdan keyin');
  expect(uz.ago('2026-11-21T08:00:20Z', Date.parse('2026-11-21T08:00:00Z'))).toBe('hozir');
  expect(uz.ago('2026-11-18T08:00:00Z', Date.parse('2026-11-21T08:00:00Z'))).toBe('3 kun oldin');
  expect(formatFor('ru-RU').number(1234567)).toMatch(/^1\s234\s567$/);
  expect(formatFor('en-GB').ago('2026-11-21T08:00:20Z', Date.parse('2026-11-21T08:00:00Z'))).toBe('now');
});
