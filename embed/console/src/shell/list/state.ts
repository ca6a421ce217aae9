// What a list shows is in its address: it survives a reload, and can be sent to a
// colleague.
import { useCallback, useMemo } from 'react';
import type { Search } from '../link';
import { startOfDay } from '../language/zone';
import { useListAddress } from '../split/pane';

/** Rows of a page. */
export const pageSize = 50;

/** The shortest search that the API takes. */
const shortestSearch = 2;

const reserved = new Set(['page', 'sort', 'q']);

export interface ListState {
  page: number;
  sort: string | undefined;
  q: string;
  /** The filters that are set, by parameter. */
  filters: Readonly<Record<string, string | string[]>>;
  set: (change: Record<string, string | string[] | undefined>) => void;
  clear: () => void;
}

/** Reads a list's part of an address; pure, for tests. names are its filters. */
export function readList(search: Search, names: readonly string[]): Pick<ListState, 'page' | 'sort' | 'q' | 'filters'> {
  const one = (k: string) => [search[k] ?? []].flat()[0];
  const page = Number(one('page'));
  const filters: Record<string, string | string[]> = {};
  for (const name of names) {
    const value = search[name];
    if (value !== undefined && !reserved.has(name)) filters[name] = value;
  }
  return { page: Number.isInteger(page) && page > 0 ? page : 1, sort: one('sort'), q: one('q') ?? '', filters };
}

/** How the parameters of filters are written for the API. */
export interface Shapes {
  /** They may come several times. */
  many: readonly string[];
  /** The first day of a span, and its last. */
  from: readonly string[];
  to: readonly string[];
}

/** What narrows the list, as the API takes it. */
export function filterOf(s: Pick<ListState, 'q' | 'filters'>, shapes: Shapes): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = {};
  for (const [k, v] of Object.entries(s.filters)) {
    const first = [v].flat()[0] ?? '';
    const value = shapes.many.includes(k)
      ? [v].flat()
      : shapes.from.includes(k)
        ? startOfDay(first)
        : shapes.to.includes(k)
          ? startOfDay(first, 1)
          : first;
    if (value !== undefined) out[k] = value;
  }
  const q = s.q.trim();
  if (q.length >= shortestSearch) out.q = q;
  return out;
}

/** The parameters of the API for a page of it. */
export function queryOf(s: Pick<ListState, 'page' | 'sort' | 'q' | 'filters'>, shapes: Shapes, fallback?: string): Record<string, unknown> {
  return { ...filterOf(s, shapes), sort: s.sort ?? fallback, limit: pageSize, offset: (s.page - 1) * pageSize };
}

/** The state of the list on this page. */
export function useListState(names: readonly string[]): ListState {
  const { search, change: address } = useListAddress();
  const key = names.join();
  const state = useMemo(() => readList(search, key ? key.split(',') : []), [search, key]);
  const set = useCallback(
    // Another question begins on the first page.
    (change: Record<string, string | string[] | undefined>) =>
      address((before) => ({ ...before, ...('page' in change ? {} : { page: undefined }), ...change })),
    [address],
  );
  const clear = useCallback(() => set(Object.fromEntries(['q', ...(key ? key.split(',') : [])].map((k) => [k, undefined]))), [set, key]);
  return useMemo(() => ({ ...state, set, clear }), [state, set, clear]);
}
