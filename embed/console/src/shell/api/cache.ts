// Changing answers where they are: by what an event tells (events/rules.ts), and by what a person
// has just done, before the server has answered (Optimistic).
import type { Query, QueryClient } from '@tanstack/react-query';
import type { Answer, PathOf } from './client';

type GetPath = PathOf<'get'>;

/** The answers that were read. */
export interface Cache {
  /** Changes every answer of a path; what the function gives as it got it stays. */
  change<P extends GetPath>(path: P, to: (answer: Answer<P, 'get'>) => Answer<P, 'get'>): void;
}

const ofPath = (path: string) => ({ predicate: (q: Query) => q.queryKey[0] === path && q.state.data !== undefined });

export function cacheOf(client: QueryClient): Cache {
  return {
    change(path, to) {
      client.setQueriesData(ofPath(path), (old: unknown) => old && to(old as never));
    },
  };
}

/** Changes that are shown and not answered yet, of all actions. */
let unanswered = 0;
/** Paths to be asked again when none is left. */
const stale = new Set<string>();

/** Whether something is shown that the server has not confirmed: what it answers now may not know of it. */
export function isUnanswered(): boolean {
  return unanswered > 0;
}

/**
 * Optimistic shows what a change will make of answers before the server has answered. One is made for
 * each request: apply, then undo when it was refused, and settle in either case.
 */
export class Optimistic {
  private readonly written: { query: Query; before: unknown; after: unknown }[] = [];

  constructor(private readonly client: QueryClient) {
    unanswered++;
  }

  /** Writes the change. Answers that are on their way may not know of it: they are called off. */
  apply(change: (cache: Cache) => void): void {
    change({
      change: (path, to) => {
        for (const query of this.client.getQueryCache().findAll(ofPath(path))) {
          const before = query.state.data;
          const after = to(before as never);
          if (after === before) continue;
          void query.cancel({ revert: true, silent: true });
          this.client.setQueryData(query.queryKey, after);
          this.written.push({ query, before, after: query.state.data });
        }
      },
    });
  }

  /** Takes the change back. What somebody else has changed since stays, and is asked for again. */
  undo(): void {
    for (const { query, before, after } of this.written.reverse()) {
      if (query.state.data === after) this.client.setQueryData(query.queryKey, before);
      else void this.client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
  }

  /** The request is over. What it made stale is asked for when no other change waits for its answer. */
  settle(paths: readonly string[], refresh: (...paths: string[]) => unknown): void {
    for (const p of paths) stale.add(p);
    if (--unanswered > 0) return;
    const all = [...stale];
    stale.clear();
    if (all.length > 0) refresh(...all);
  }
}
