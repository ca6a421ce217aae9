import { expect, test } from 'vitest';
import { partsOf } from './Figures';
import { filled, spanOf, todayOf } from './periods';
import { type Dashboard, launchedLately, stepsOf } from './steps';

const dashboard = { accounts: { total: 1 }, recipients: { total: 0 } } as unknown as Dashboard;

test('first steps are those that are not done, and only those that the person may do', () => {
  const steps = stepsOf({ dashboard, templates: 0, campaigns: 0, launched: 0 }, () => true);
  expect(steps.map((s) => [s.key, s.done])).toEqual([
    ['account', true],
    ['people', false],
    ['template', false],
    ['launch', false],
  ]);
  expect(stepsOf({ dashboard, templates: 0, campaigns: 0, launched: 0 }, (p) => p === 'recipients:manage').map((s) => s.key)).toEqual([
    'people',
  ]);
});

test('a step leads to where it is done, the last one to a draft that is there', () => {
  const to = (campaigns: number) => stepsOf({ dashboard, templates: 0, campaigns, launched: 0 }, () => true).map((s) => s.to);
  expect(to(0)).toEqual(['/accounts/new', '/recipients/import', '/templates/new', '/campaigns/new']);
  expect(to(1).at(-1)).toBe('/campaigns');
});

test('who launched a campaign needs no template any more', () => {
  expect(
    stepsOf({ dashboard, templates: 0, campaigns: 1, launched: 1 }, () => true)
      .filter((s) => !s.done)
      .map((s) => s.key),
  ).toEqual(['people']);
});

test('a week is seven days, today last, each drawn', () => {
  const span = spanOf('7', todayOf({ messages: { days: [{ date: '2026-02-28' }, { date: '2026-03-01' }] } }));
  expect(span).toEqual({ from: '2026-02-23', to: '2026-03-02' });
  const rows = filled([{ key: '2026-02-28', n: 4 }], span, (key) => ({ key, n: 0 }));
  expect(rows).toHaveLength(7);
  expect(rows.map((r) => r.n)).toEqual([0, 0, 0, 0, 0, 4, 0]);
});

test('the dashboard knows of campaigns that were launched lately', () => {
  expect(launchedLately(dashboard)).toBe(0);
  const campaigns = { running: 1, paused: 0, scheduled: 2, completed_30d: 3 };
  expect(launchedLately({ ...dashboard, campaigns })).toBe(6);
});

test('a figure stands where the language puts it in its sentence', () => {
  expect(partsOf('325 kishidan <big>307</big> tasi')).toEqual(['325 kishidan ', '307', ' tasi']);
  expect(partsOf('<big>307</big> of 325')).toEqual(['', '307', ' of 325']);
});
