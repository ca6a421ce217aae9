// What the features say that events do, together.
import { expect, test } from 'vitest';
import { QueryClient } from '@tanstack/react-query';
import { progress } from '../src/campaign/progress';
import { features } from '../src/features';
import { cacheOf } from '../src/shell/api/cache';
import { isAbout } from '../src/shell/events/rules';
import { eventTypes } from '../src/shell/events/types';

const rules = features.flatMap((f) => (f.events ?? []).map((rule) => ({ feature: f.name, rule })));

test.each(eventTypes)('%s does something to what was read', (type) => {
  expect(rules.some(({ rule }) => isAbout(rule, type))).toBe(true);
});

test.each(features.map((f) => f.name))('%s changes what an event tells, or asks again, and never both', (name) => {
  for (const type of eventTypes) {
    const about = rules.filter((r) => r.feature === name && isAbout(r.rule, type));
    expect(about.length, type).toBeLessThanOrEqual(1);
  }
});

test('the progress of a campaign is written into its page and its row', () => {
  const client = new QueryClient();
  const before = { completed: 1 };
  const rows = ['cmp_1', 'cmp_2'].map((id) => ({ id, totals: before }));
  client.setQueryData(['/campaigns', {}, {}], { data: rows, total: 2 });
  client.setQueryData(['/campaigns/{id}', { id: 'cmp_2' }, {}], rows[1]);
  progress({ campaign_id: 'cmp_2', totals: { completed: 7 } }, cacheOf(client));
  progress({ campaign_id: 'cmp_1' }, cacheOf(client));
  expect(client.getQueryData(['/campaigns', {}, {}])).toMatchObject({ data: [{ totals: before }, { totals: { completed: 7 } }], total: 2 });
  expect(client.getQueryData(['/campaigns/{id}', { id: 'cmp_2' }, {}])).toMatchObject({ totals: { completed: 7 } });
});
