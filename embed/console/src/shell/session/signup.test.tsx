import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queries } from '../api/query';
import { SignUpLink } from './SignIn';

afterEach(() => {
  queries.clear();
  vi.unstubAllGlobals();
});

// Contract 21.1: a link on sign-in follows who may sign up.
test.each([
  ['open', 1],
  ['first_person', 1],
  ['closed', 0],
] as const)('sign-up that is %s has %d links on sign-in', async (signup, links) => {
  const asked = vi.fn(async () => new Response(JSON.stringify({ signup }), { headers: { 'Content-Type': 'application/json' } }));
  vi.stubGlobal('fetch', asked);
  render(
    <MantineProvider>
      <QueryClientProvider client={queries}>
        <SignUpLink />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await vi.waitFor(() => expect(queries.getQueryState(['/public/config', {}, {}])?.status).toBe('success'));
  if (links > 0) expect((await screen.findByRole('link')).getAttribute('href')).toBe('/console/signup');
  expect(screen.queryAllByRole('link')).toHaveLength(links);
});
