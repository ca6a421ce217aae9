import { describe, expect, test } from 'vitest';
import { formatFor } from '../shell/language/format';
import { namesOf } from './alerts';
import { changed, choiceOf } from './limitFields';
import { monthsBack } from './months';
import { sizeText, spanText } from './parts';
import { needsResolution, nextStates } from './reportLife';
import { boundsOf, changes, check, farReaching, groups } from './settingFields';
import { warningKind } from './warnings';

const settings = {
  signups_open: true,
  maintenance_mode: false,
  maintenance_message: null,
  default_plan: 'PRO',
  allow_unknown_consent: false,
  default_daily_limit: 150,
  max_daily_limit: 500,
  default_min_interval_seconds: 8,
  min_interval_seconds_floor: 4,
  max_flood_wait_seconds: 900,
  aup_version: '1',
  aup_text: 'Be kind.',
  ai_enabled: true,
  conversation_intelligence_enabled: true,
  jev_available: false,
  inbox_max_file_mb: 50,
  session_ttl_hours: 336,
  support_session_minutes: 60,
};

describe('settings', () => {
  test('bounds depend on other settings', () => {
    expect(boundsOf({ ...settings, max_daily_limit: 90 }, 'default_daily_limit')).toEqual([1, 90]);
    expect(boundsOf({ ...settings, min_interval_seconds_floor: 20 }, 'default_min_interval_seconds')).toEqual([20, 86_400]);
  });
  test('what is out of bounds is named with them', () => {
    expect(check(settings)).toEqual({});
    expect(check({ ...settings, max_daily_limit: 100, aup_version: ' ' })).toEqual({ default_daily_limit: [1, 100], aup_version: [1] });
    expect(check({ ...settings, session_ttl_hours: '' as never })).toEqual({ session_ttl_hours: [1, 8760] });
  });
  test('only what was changed is sent, and an emptied message as none', () => {
    expect(changes(settings, { ...settings, maintenance_message: '' })).toEqual({});
    expect(changes({ ...settings, maintenance_message: 'Soon.' }, { ...settings, maintenance_message: ' ' })).toEqual({
      maintenance_message: null,
    });
    expect(changes(settings, { ...settings, max_daily_limit: 700 })).toEqual({ max_daily_limit: 700 });
  });
  test('what everybody feels is asked about', () => {
    expect(farReaching(settings, { ...settings, maintenance_mode: true, aup_version: '2' })).toEqual(['maintenanceOn', 'policy']);
    expect(farReaching({ ...settings, maintenance_mode: true }, settings)).toEqual([]);
    expect(farReaching(settings, { ...settings, signups_open: false, allow_unknown_consent: true })).toEqual(['unknownConsent', 'signups']);
    expect(
      farReaching({ ...settings, jev_available: true }, { ...settings, ai_enabled: false, conversation_intelligence_enabled: false }),
    ).toEqual(['aiOff', 'analysisOff', 'jevOff']);
    expect(farReaching(settings, { ...settings, jev_available: true })).toEqual([]);
  });
  test('every setting is on the page once', () => {
    const shown = groups.flatMap(([, keys]) => keys);
    expect([...shown].sort()).toEqual(Object.keys(settings).sort());
    expect(changes(settings, { ...settings, ai_enabled: false, inbox_max_file_mb: 20 })).toEqual({
      ai_enabled: false,
      inbox_max_file_mb: 20,
    });
    expect(check({ ...settings, inbox_max_file_mb: 2001 })).toEqual({ inbox_max_file_mb: [1, 2000] });
  });
});

describe('limits', () => {
  const effective = { accounts: 3, recipients: 10_000, members: null, api_access: true };
  test('show what holds and where it comes from', () => {
    expect(choiceOf({ members: null, api_access: false }, effective, 'members')).toEqual({ kind: 'none', value: 0 });
    expect(choiceOf({ api_access: false }, effective, 'api_access')).toEqual({ kind: 'no', value: 0 });
    expect(choiceOf({}, effective, 'accounts')).toEqual({ kind: 'plan', value: 3 });
    expect(choiceOf({ accounts: 3 }, effective, 'accounts')).toEqual({ kind: 'number', value: 3 });
  });
  test('send the changed ones in the words of the API', () => {
    const before = {
      accounts: { kind: 'plan', value: 3 },
      members: { kind: 'none', value: 0 },
      recipients: { kind: 'number', value: 5 },
      api_access: { kind: 'plan', value: 0 },
    } as const;
    expect(changed(before, before)).toEqual({});
    expect(
      changed(before, {
        accounts: { kind: 'number', value: 9 },
        members: { kind: 'plan', value: 0 },
        recipients: { kind: 'none', value: 5 },
        api_access: { kind: 'no', value: 0 },
      }),
    ).toEqual({ accounts: 9, members: 'default', recipients: null, api_access: false });
  });
});

test('an alert names its number and its queue', () => {
  expect(namesOf({ kind: 'QUEUE_PAUSED', title: 'The queue send is paused; tasks that wait: 12.', link: '/admin/queues/send' })).toEqual({
    count: 12,
    queue: 'send',
  });
  expect(namesOf({ kind: 'NO_BACKUP', title: 'The database was never backed up.', link: '/admin/system' })).toEqual({
    count: 0,
    queue: '',
  });
});

test('a report that is over can only be opened again', () => {
  expect(nextStates('RESOLVED')).toEqual(['OPEN']);
  expect(nextStates('OPEN')).not.toContain('OPEN');
  expect(needsResolution('DISMISSED')).toBe(true);
  expect(needsResolution('INVESTIGATING')).toBe(false);
});

test('months go back over the turn of the year', () => {
  expect(monthsBack(new Date('2026-02-28T23:00:00Z'), 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
});

test('sizes and spans are as people say them', () => {
  expect(sizeText(999, formatFor('en-GB'))).toBe('999 byte');
  expect(sizeText(1_234_000_000, formatFor('en-GB'))).toBe('1.2 GB');
  expect(spanText(90_061, formatFor('en-GB'))).toBe('1 day 1 hr');
  expect(spanText(0, formatFor('en-GB'))).toBe('0 secs');
});

test.each([
  ['public-url is https but trusted-proxies is empty: everybody has the address', { key: 'proxy', name: '' }],
  ['environment variable SVC_LISTENS sets nothing, did you mean SVC_LISTEN?', { key: 'variable', name: 'SVC_LISTENS' }],
  ['something that no word of ours says', null],
])('the warning %j', (sentence, want) => expect(warningKind(sentence)).toEqual(want));
