import type { ReactNode } from 'react';
import type { Answer, PathOf } from '../api/client';

/** The paths that answer a page: {data, total, limit, offset}. */
export type ListPath = {
  [P in PathOf<'get'>]: Answer<P, 'get'> extends { data: readonly unknown[]; total: number } ? P : never;
}[PathOf<'get'>];
export type Row<P extends ListPath> = Answer<P, 'get'> extends { data: readonly (infer R)[] } ? R : never;

export interface Column<R> {
  key: string;
  title: string;
  render: (row: R) => ReactNode;
  /** The name of the API's sort; without it the column does not sort. */
  sort?: string;
  align?: 'right';
  /** Left out below this width; the card of a phone shows it. */
  from?: 'md' | 'lg';
}

/** A filter of the API, by the name of its parameter. */
export type Filter = { /** Seldom wanted: behind "more filters" while it is not set. */ rare?: boolean } & (
  | { kind: 'choice'; key: string; label: string; options: readonly { value: string; label: string }[]; searchable?: boolean }
  | { kind: 'text'; key: string; label: string }
  | { kind: 'tags'; key: string; label: string; options: readonly string[] }
  | { kind: 'days'; from: string; to: string; label: string }
);

export interface Selection {
  ids: readonly string[];
  /** Everybody who matches was chosen, not only who is on the page. */
  all: boolean;
  /** How many are meant. */
  count: number;
  /** What narrows the list, for operations that take a filter. */
  query: Readonly<Record<string, string | string[]>>;
  clear: () => void;
}

export interface Bulk {
  /** The buttons for what is selected. */
  actions: (selection: Selection) => ReactNode;
  /** An operation that takes the filter: more than a page can be chosen, up to this many. */
  most?: number;
}
