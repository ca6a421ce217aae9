import { expect, test } from 'vitest';
import { envelopeOf, matches } from './kinds';
import { kept, Tail } from './tail';

const event = (n: number) => ({
  id: `evt_${n}`,
  type: 'recipient.opted_out',
  timestamp: '2026-05-01T10:00:00Z',
  data: { recipient_id: 'rcp_1' },
});

test('the tail shows nothing until told, and keeps the newest', () => {
  const tail = new Tail();
  for (let i = 0; i < kept + 5; i++) tail.add(event(i));
  expect([tail.shown.length, tail.missed]).toEqual([0, kept + 5]);
  expect(tail.flush()).toBe(true);
  expect([tail.shown.length, tail.shown[0]?.id, tail.missed]).toEqual([kept, `evt_${kept + 4}`, 0]);
  expect(tail.flush()).toBe(false);
});

test('an event matches by type, group and id', () => {
  expect(matches(event(1), [], '')).toBe(true);
  expect(matches(event(1), ['recipient.*'], 'rcp_1')).toBe(true);
  expect(matches(event(1), ['campaign.*'], '')).toBe(false);
  expect(matches(event(1), [], 'rcp_2')).toBe(false);
});

test('what is no event is left out', () => {
  expect(envelopeOf(undefined)).toBeUndefined();
  expect(envelopeOf({ id: 1 })).toBeUndefined();
});
