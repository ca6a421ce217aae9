import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Attachments } from './Attachments';
import type { File } from './types';

const file = (status: File['status']): File =>
  ({ id: 'fil_1', kind: 'DOCUMENT', status, file_name: 'narxlar.pdf', mime_type: null }) as File;
const show = (status: File['status'], imported = false) =>
  render(
    <MantineProvider>
      <Attachments of={[file(status)]} conversation="cnv_1" imported={imported} />
    </MantineProvider>,
  );
const answers = (status: number, body: object) => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (at: string) => {
    asked.push(at);
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return asked;
};

beforeAll(() => i18next.init({ lng: 'cimode' }));
afterEach(() => vi.unstubAllGlobals());

test('a file that is on its way needs nobody to ask for it', () => {
  show('PENDING');
  expect(screen.queryByRole('button')).toBeNull();
  screen.getByRole('progressbar');
});

test.each([
  ['PENDING', true],
  ['FAILED', false],
  ['TOO_LARGE', false],
  ['UNAVAILABLE', false],
] as const)('one that is %s is fetched when somebody asks', async (status, imported) => {
  const asked = answers(202, { status: 'PENDING' });
  show(status, imported);
  expect(screen.queryByRole('progressbar')).toBeNull();
  fireEvent.click(screen.getByRole('button'));
  await screen.findByRole('progressbar');
  expect(asked).toEqual(['/api/v1/ai/conversations/cnv_1/attachments/fil_1']);
  expect(screen.queryByRole('button')).toBeNull();
});

test('says why there is none', async () => {
  answers(404, { error: { code: 'not_found', message: 'The network does not have the file any more.' } });
  show('UNAVAILABLE');
  fireEvent.click(screen.getByRole('button'));
  await screen.findByRole('alert');
});
