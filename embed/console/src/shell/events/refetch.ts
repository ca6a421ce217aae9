import type { Query, QueryClient } from '@tanstack/react-query';
import { isBelow } from '../api/below';
import { isUnanswered } from '../api/cache';
import type { ApiError } from '../api/error';

/** Requests that may go at once when nothing was asked for a while. */
const burst = 3;
/** ms until one more may go: with the burst at most 18 in 10 s, whatever is on the page. */
const spacing = 650;
/** ms between two requests for the same answer, unless who reads it says more. */
const rest = 1000;

/**
 * Refetcher asks again for what events made stale: the answers that are on screen, the one that
 * waits longest first, each at most once a second (or as seldom as its reader says), and all
 * together at most two a second. A hundred events a second cost as little as two. What is not on
 * screen is marked, and asked for when it is shown. What is on its way is not asked for beside that, but behind it.
 */
export class Refetcher {
  /** Hashes of what is to be asked for, in the order in which it became stale. */
  private readonly waiting = new Set<string>();
  private tokens = 0; // what was read a moment ago is new
  private filled = Date.now();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly client: QueryClient) {}

  /** These paths, and all below them, are stale. */
  stale(paths: readonly string[]): void {
    if (paths.length > 0) this.mark((q) => isBelow(q.queryKey[0], paths));
  }

  /** Events were missed: everything may be stale. */
  everything(): void {
    this.mark(() => true);
  }

  private mark(which: (q: Query) => boolean): void {
    const meant = (q: Query) => (q.state.error as ApiError | null)?.status !== 404 && which(q); // who makes it asks for it
    void this.client.invalidateQueries({ predicate: meant, refetchType: 'none' });
    for (const q of this.client.getQueryCache().findAll({ type: 'active', predicate: meant })) this.waiting.add(q.queryHash);
    this.timer ??= setTimeout(() => this.turn(), 0);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting.clear();
  }

  private turn(): void {
    this.timer = undefined;
    const now = Date.now();
    const more = Math.floor((now - this.filled) / spacing);
    this.tokens = Math.min(burst, this.tokens + more);
    this.filled = this.tokens === burst ? now : this.filled + more * spacing;
    for (const hash of this.waiting) {
      if (this.tokens === 0 || isUnanswered()) break; // an answer that knows less than what is shown would flicker
      const q = this.client.getQueryCache().get(hash);
      if (!q?.isActive()) this.waiting.delete(hash);
      else if (q.state.fetchStatus === 'idle' && now - q.state.dataUpdatedAt >= (q.meta?.rest ?? rest)) {
        this.waiting.delete(hash);
        this.tokens--;
        void q.fetch().catch(() => {}); // the page that shows it says so
      }
    }
    if (this.waiting.size > 0) this.timer = setTimeout(() => this.turn(), spacing / 2);
  }
}
