// Reading: every GET goes through useGet, so that its key begins with its path and an
// event can name what it makes stale (events/rules.ts).
import { keepPreviousData, onlineManager, QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { type Answer, call, type Input, type PathOf } from './client';
import { isBelow } from './below';
import { ApiError } from './error';

const maxTries = 3;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: true,
      retry: (tries, error) => error instanceof ApiError && error.passing && error.status !== 429 && tries < maxTries,
      retryDelay: (tries) => Math.min(1000 * 2 ** tries, 10_000),
      throwOnError: false,
    },
    // A change is tried at once even when the browser believes that it is offline: a
    // person who pressed a button hears what became of it.
    mutations: { networkMode: 'always', retry: false },
  },
});

type GetPath = PathOf<'get'>;

/** The options of a GET, for useQuery, prefetchQuery and the like. */
export function get<P extends GetPath>(path: P, input: Input<P, 'get'>) {
  const { path: params, query } = input as { path?: object; query?: object };
  return queryOptions<Answer<P, 'get'>, ApiError>({
    queryKey: [path, params ?? {}, query ?? {}],
    queryFn: ({ signal }) => call('get', path, { ...input, signal }),
  });
}

const onceMore = 1000; // ms

interface GetOptions<A> {
  /** false: do not ask yet. */
  enabled?: boolean;
  /** Show the answer to the previous question until the next one is there. */
  keep?: boolean;
  /** Ask again every second while this holds: for what no event tells of. */
  while?: (answer: A) => boolean;
  /** ms that it may be old before an event has it read again; 1000. */
  rest?: number;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { rest?: number };
  }
}

/** Reads something and keeps it up to date. */
export function useGet<P extends GetPath>(path: P, input: Input<P, 'get'>, o: GetOptions<Answer<P, 'get'>> = {}) {
  return useQuery({
    ...get(path, input),
    enabled: o.enabled ?? true,
    meta: { rest: o.rest },
    placeholderData: o.keep ? (keepPreviousData as never) : undefined,
    refetchInterval: ({ state }) => (state.status === 'success' && state.data && o.while?.(state.data) ? onceMore : false),
  });
}

/** Everything that was read from these paths, or below them, is asked again; what is not there (404) is not: who makes it asks for it. */
export function refresh(...prefixes: string[]): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey, state }) => (state.error as ApiError | null)?.status !== 404 && isBelow(queryKey[0], prefixes),
  });
}

/** Whether the browser has a network, for the banner and the tests. */
export { onlineManager };
