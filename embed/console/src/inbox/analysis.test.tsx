import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import AnalysisPanel from './AnalysisPanel';
import type { Opened } from './types';

const answer = vi.hoisted(() => ({ data: {} as object }));
vi.mock('@shell', async (original) => ({
  ...(await original<object>()),
  useCan: () => () => true,
  useGet: () => ({ data: answer.data }),
  useAction: () => ({ run: () => undefined, pending: false }),
  useFormat: () => ({ percent: String }),
  When: () => null,
}));

const analysis = (demo: boolean, explained: boolean) => ({
  conversation_id: 'cnv_1',
  business_id: 'bus_1',
  dimensions: [{ dimension: 'DEMAND', case_id: null, case_name: null, probability: 0.8, source: 'MODEL' }],
  scores: {},
  flags: {},
  explanation: [{ dimension: 'DEMAND', text: 'They ask for roses.', message_ids: ['msg_1'], demo: explained }],
  messages_analyzed: 1,
  demo,
});

beforeAll(() => i18next.init({ lng: 'cimode' }));
afterEach(cleanup);

test.each([
  ['nothing by the demo model', false, false, false, 0],
  ['its summary', true, false, false, 1],
  ['its analysis', false, true, false, 1],
  ['its explanation', false, false, true, 1],
  ['all by the demo model', true, true, true, 3],
])('says Demo beside %s', (_, summary, found, explained, marks) => {
  answer.data = { summary: 'About roses.', summary_demo: summary, analysis: analysis(found, explained), analysis_mode: 'LLM' };
  const { container } = render(
    <MantineProvider>
      <AnalysisPanel of={{ id: 'cnv_1', personal: false } as Opened} />
    </MantineProvider>,
  );
  expect(container.querySelectorAll('[data-demo]')).toHaveLength(marks);
});
