import { beforeEach, describe, expect, test, vi } from 'vitest';
import { statesOf } from './Activity';
import { international, keepFlow, keptFlow } from './flow';
import { type Account, accountName, clock, type Flow, nextStep, shownState } from './name';
import { linesOf, readLine } from './proxy/ProxyImport';
import { changesOf, timeFor } from './Settings';
import { changeStatus } from './status';

const account = {
  label: null,
  first_name: 'Olga',
  last_name: '',
  username: 'olga_k',
  phone_masked: '+998 90 ••• •• 67',
  daily_limit: 150,
  min_interval_seconds: 8,
  inbound_enabled: true,
  proxy_id: null,
} as unknown as Account;

test('an account is called by its label, its name, its username, its number', () => {
  expect(accountName({ ...account, label: 'Shop' })).toBe('Shop');
  expect(accountName(account)).toBe('Olga');
  expect(accountName({ ...account, first_name: '' })).toBe('@olga_k');
  expect(accountName({ ...account, first_name: '', username: null })).toBe('+998 90 ••• •• 67');
});

test('every state has the step that leads on', () => {
  const of = (status: Account['status'], disabled_by_admin = false) => nextStep({ status, disabled_by_admin });
  expect([of('ACTIVE'), of('PAUSED'), of('AUTH_REQUIRED'), of('RESTRICTED'), of('DISCONNECTED'), of('ERROR'), of('PAUSED', true)]).toEqual([
    'none',
    'resume',
    'reauth',
    'acknowledge',
    'check',
    'check',
    'admin',
  ]);
});

test('a flood wait shows while it lasts', () => {
  const a = { status: 'ACTIVE' as const, disabled_by_admin: false, cooldown_until: '2026-01-01T00:01:00Z' };
  expect(shownState(a, Date.parse('2026-01-01T00:00:59Z'))).toBe('COOLDOWN');
  expect(shownState(a, Date.parse('2026-01-01T00:01:00Z'))).toBe('ACTIVE');
  expect(shownState({ ...a, status: 'PAUSED', disabled_by_admin: true })).toBe('DISABLED');
});

test.each([
  [0, '00:00'],
  [61.2, '01:02'],
  [3723, '1:02:03'],
  [-5, '00:00'],
])('%s s are %s on a clock', (s, want) => {
  expect(clock(s)).toBe(want);
});

describe('a sign-in', () => {
  const flow: Flow = {
    flow_id: 'flw_1',
    step: 'CODE_SENT',
    code_type: 'app',
    phone_masked: '+998 90 ••• •• 67',
    password_hint: null,
    attempts_left: 5,
    expires_at: '2026-01-01T00:15:00Z',
  };
  const now = Date.parse('2026-01-01T00:00:00Z');
  beforeEach(() => sessionStorage.clear());
  test('is found again after a reload, for the account that it belongs to', () => {
    keepFlow({ flow, account: 'acc_1' });
    expect(keptFlow('acc_1', now)).toEqual(flow);
    expect(keptFlow(undefined, now)).toBeNull();
    keepFlow(null);
    expect(keptFlow('acc_1', now)).toBeNull();
  });
  test('is over when its time is', () => {
    keepFlow({ flow });
    expect(keptFlow(undefined, Date.parse(flow.expires_at))).toBeNull();
  });
  test('that cannot be kept begins anew', () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementationOnce(() => {
      throw new Error('no');
    });
    expect(keptFlow(undefined, now)).toBeNull();
  });
});

test('settings send what differs and nothing else', () => {
  const v = { label: '', daily_limit: 150, min_interval_seconds: 8, inbound_enabled: true, proxy_id: null };
  expect(changesOf(account, v)).toEqual({});
  expect(changesOf(account, { ...v, label: ' Shop ', daily_limit: 200, proxy_id: 'prx_1' })).toEqual({
    label: 'Shop',
    daily_limit: 200,
    proxy_id: 'prx_1',
  });
  expect(changesOf({ ...account, label: 'Shop' }, v)).toEqual({ label: null });
});

test('a pace in hours', () => {
  expect([timeFor(150, 8), timeFor(1000, 8)]).toEqual([
    { count: 20, unit: 'minute' },
    { count: 2.2, unit: 'hour' },
  ]);
});

test.each([
  ['proxy.uz:1080:olga:secret', { address: 'proxy.uz:1080' }],
  ['socks5://olga:p@ss@proxy.uz:1080', { type: 'SOCKS5', address: 'proxy.uz:1080' }],
  ['http://proxy.uz:8080', { type: 'HTTP', address: 'proxy.uz:8080' }],
  ['tg://proxy?server=proxy.uz&port=443&secret=ee00', { type: 'MTPROTO', address: 'proxy.uz:443' }],
  ['nonsense', { address: 'nonsense:?' }],
])('the line %s is read without its secrets', (line, want) => {
  const read = readLine(line);
  expect(read).toEqual(want);
  expect(JSON.stringify(read)).not.toMatch(/secret|ee00|ss@|olga/);
});

test('empty lines and comments are no proxies', () => {
  expect(linesOf('a:1\n\n# mine\n  b:2 ')).toEqual(['a:1', 'b:2']);
});

test('an entry of the activity names its states', () => {
  expect(statesOf('ACTIVE to AUTH_REQUIRED. The messenger ended the session.')).toEqual({ from: 'ACTIVE', to: 'AUTH_REQUIRED' });
  expect(statesOf('Something else')).toBeUndefined();
});

test.each([
  ['+998 ', ''],
  ['', ''],
  ['+998 90 000 00 01', '+998900000001'],
  ['90 000 00 01', '+998900000001'],
  ['+998 +998 90 000 00 01', '+998900000001'],
  ['998900000001', '+998900000001'],
  ['+7 (903) 123-45-67', '+79031234567'],
  ['00998900000001', '+998900000001'],
])('the number %j is taken as %j', (typed, want) => {
  expect(international(typed)).toBe(want);
});

test('an account that is paused shows it on its page and in every list', () => {
  const shown: Record<string, unknown> = {};
  const answers: Record<string, unknown> = {
    '/accounts/{id}': { id: 'acc_2', status: 'ACTIVE' },
    '/accounts': { data: [1, 2].map((n) => ({ id: `acc_${n}`, status: 'ACTIVE' })) },
  };
  const change = (path: string, to: (answer: never) => unknown) => {
    shown[path] = to(answers[path] as never);
  };
  changeStatus({ change } as never, 'acc_2', 'PAUSED');
  expect(shown['/accounts/{id}']).toMatchObject({ status: 'PAUSED' });
  expect(shown['/accounts']).toMatchObject({ data: [{ status: 'ACTIVE' }, { status: 'PAUSED' }] });
});
