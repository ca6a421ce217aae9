// How leads fall into columns, and how waits are written.
import { expect, test } from 'vitest';
import { formatFor } from '@shell/language/format';
import { columnsOf, type Funnel, type Lead, wait, worth } from './types';

const f = formatFor('en', 'UTC');

test('a wait is told in the unit in which people speak of it', () => {
  expect([null, 0, 44.4, 119, 120, 3600, 7200, 9000].map((s) => wait(f, s))).toEqual([
    '–',
    '0 sec',
    '44 sec',
    '119 sec',
    '2 min',
    '60 min',
    '2 hr',
    '2.5 hr',
  ]);
});

test('an amount has its currency, or is none', () => {
  expect([worth(f, 1400000, 'UZS'), worth(f, '12.5', 'USD'), worth(f, 0, 'UZS'), worth(f, null, 'UZS'), worth(f, 5, null)]).toEqual([
    '1,400,000 UZS',
    '12.5 USD',
    '0 UZS',
    undefined,
    undefined,
  ]);
});

test('leads stand in the column of their stage, and what was not read is counted', () => {
  const stage = (key: string, open: number) => ({ key, name: key, open, won: 0, lost: 0, value_open: 0, oldest_open_days: null });
  const funnel = { funnel_id: 'fnl_1', stages: [stage('NEW', 3), stage('SOLD', 0)] } as unknown as Funnel;
  const lead = (id: string, funnel_id: string, at: string) => ({ id, funnel_id, stage: at }) as unknown as Lead;
  const columns = columnsOf(funnel, [lead('a', 'fnl_1', 'NEW'), lead('b', 'fnl_2', 'NEW'), lead('c', 'fnl_1', 'SOLD')]);
  expect(columns.map((c) => [c.stage.key, c.leads.map((l) => l.id).join(), c.more])).toEqual([
    ['NEW', 'a', 2],
    ['SOLD', 'c', 0],
  ]);
});
