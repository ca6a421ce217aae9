import { expect, test } from 'vitest';
import { deviceOf } from './device';
import { bySubject, leftOf } from './scopes';
import { emailProblem } from './email';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge · Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari · iOS',
  ],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome · Android'],
  ['something', undefined],
])('%s is a device', (agent, want) => expect(deviceOf(agent)).toBe(want));

test('what is left of a key never is less than nothing', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  expect(leftOf('2026-05-02T09:30:30Z', now)).toEqual({ hours: 23, minutes: 30 });
  expect(leftOf('2026-05-01T09:00:00Z', now)).toEqual({ hours: 0, minutes: 0 });
});

test('permissions are told by subject', () => {
  expect(bySubject(['recipients:read', 'campaigns:read', 'recipients:manage'])).toEqual([
    ['recipients', ['read', 'manage']],
    ['campaigns', ['read']],
  ]);
});

test.each([
  ['', 'missing'],
  ['olga', 'missing'],
  [' Olga@Example.uz ', 'same'],
  ['olga2@example.uz', null],
] as const)('%s as a new address: %s', (text, want) => expect(emailProblem(text, 'olga@example.uz')).toBe(want));
