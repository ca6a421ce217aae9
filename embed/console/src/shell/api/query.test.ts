import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from './error';
import { queries, refresh } from './query';

afterEach(() => queries.clear());

/** A page asks for path and is answered with an error of that status; it gives how often it asked. */
async function failing(path: string, status: number): Promise<() => number> {
  const asked = vi.fn(() => Promise.reject(new ApiError({ status, code: 'code', message: 'sentence' })));
  const page = new QueryObserver(queries, { queryKey: [path, {}, {}], retry: false, queryFn: asked });
  page.subscribe(() => {});
  await vi.waitFor(() => expect(page.getCurrentResult().isError).toBe(true));
  return () => asked.mock.calls.length;
}

it('what is not there is not asked for again with each event; what failed otherwise is', async () => {
  const gone = await failing('/campaigns/{id}', 404);
  const broken = await failing('/campaigns', 500);
  await refresh('/campaigns');
  expect([gone(), broken()]).toEqual([1, 2]);
});
