import { vi } from 'vitest';
import type { Result } from '../src/client/types';

/** Call is one request that the client made. */
export interface Call {
  url: URL;
  init: RequestInit;
}

type Answer = (call: Call) => Response | Promise<Response>;

/** server stands in for the network: it answers with answer and remembers the calls. */
export function server(answer: Answer) {
  const calls: Call[] = [];
  const fetch = vi.fn(async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const call = { url: new URL(String(input)), init };
    calls.push(call);
    return new Promise<Response>((resolve, reject) => {
      const signal = init.signal;
      const stop = () => reject(signal?.reason ?? new DOMException('aborted', 'AbortError'));
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop);
      Promise.resolve(answer(call)).then(resolve, reject);
    });
  });
  return { calls, fetch: fetch as unknown as typeof globalThis.fetch };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

/** never is an answer that does not come. */
export const never = () => new Promise<Response>(() => undefined);

export function result(id: number, name: string, more: Partial<Result> = {}): Result {
  return {
    id,
    name,
    kind: 'poi',
    category: 'food.cafe',
    group: 'food',
    icon: 'cafe',
    label: `Cafe, ${name} street`,
    category_label: 'Cafe',
    lat: 41.3,
    lon: 69.2,
    bbox: [69.2, 41.3, 69.2, 41.3],
    address: {},
    rank: 0.5,
    ...more,
  };
}
