import { expect, test } from 'vitest';
import { compress, expand, typesOf, unknown } from '@kit';
import { healthOf } from './health';
import { changeWebhook, turnedOff, turnedOn } from './status';

test('a group whose every type is chosen is subscribed as a whole', () => {
  expect(compress(false, [...typesOf('recipient'), 'campaign.completed'])).toEqual(['recipient.*', 'campaign.completed']);
  expect(compress(true, [])).toEqual(['*']);
});

test('patterns become boxes, and what has no box stays', () => {
  expect(expand(['message.*', 'campaign.paused'])).toEqual(['campaign.paused', ...typesOf('message')]);
  expect(unknown(['later.*', 'message.*'])).toEqual(['later.*']);
  expect(compress(false, expand(['message.*']), unknown(['later.*']))).toEqual(['message.*', 'later.*']);
  expect(compress(false, expand(['ai.calendar.*', 'ai.lead.*']))).toEqual(['ai.calendar.*', 'ai.lead.updated']);
});

test('health follows from what is known', () => {
  const w = { status: 'ACTIVE', disabled_reason: null, failure_streak: 0, last_delivery_at: null } as const;
  expect(healthOf(w)).toBe('new');
  expect(healthOf({ ...w, last_delivery_at: '2026-05-01T10:00:00Z' })).toBe('healthy');
  expect(healthOf({ ...w, failure_streak: 2 })).toBe('failing');
  expect(healthOf({ ...w, status: 'DISABLED', disabled_reason: 'FAILURES' })).toBe('gaveUp');
  expect(healthOf({ ...w, status: 'DISABLED', disabled_reason: 'USER' })).toBe('off');
});

test('a webhook that is turned off or on shows it in its list, and no other does', () => {
  const list = { data: [1, 2].map((n) => ({ id: `whk_${n}`, status: 'ACTIVE', disabled_reason: null, failure_streak: 4 })) };
  let shown: unknown;
  const cache = {
    change: (path: string, to: (page: never) => unknown) => {
      if (path === '/webhooks') shown = to(list as never);
    },
  };
  changeWebhook(cache as never, 'whk_2', turnedOff);
  expect(shown).toMatchObject({ data: [list.data[0], { status: 'DISABLED', disabled_reason: 'USER' }] });
  changeWebhook(cache as never, 'whk_1', turnedOn);
  expect(shown).toMatchObject({ data: [{ status: 'ACTIVE', failure_streak: 0 }, list.data[1]] });
});
