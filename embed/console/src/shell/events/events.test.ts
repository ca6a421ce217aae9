import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/error';
import { Refetcher } from './refetch';
import { type Cache, cacheOf } from '../api/cache';
import { apply, type EventRule } from './rules';

let client: QueryClient;
let asked: string[];
beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  asked = [];
});
afterEach(() => {
  client.clear();
  vi.useRealTimers();
});

/** A page that shows the answer of a path; who asks is written down. ms: until the answer arrives; rest: see useGet. */
function shown(path: string, ms = 5, rest?: number): () => void {
  const queryFn = async () => {
    asked.push(path);
    await new Promise((done) => setTimeout(done, ms));
    return asked.length;
  };
  return new QueryObserver(client, { queryKey: [path, {}, {}], queryFn, staleTime: 30_000, meta: { rest } }).subscribe(() => {});
}

/** Events that make paths stale, a hundred a second. */
async function pour(r: Refetcher, paths: string[], seconds: number): Promise<void> {
  for (let i = 0; i < seconds * 100; i++) {
    r.stale(paths);
    await vi.advanceTimersByTimeAsync(10);
  }
}

describe('what events make stale', () => {
  test('is asked for at most twice a second, whatever is on the page, and each in its turn', async () => {
    const paths = ['/campaigns', '/jobs', '/accounts', '/dashboard', '/notifications', '/events', '/lists', '/proxies'];
    paths.forEach((p) => void shown(p));
    await vi.advanceTimersByTimeAsync(2000);
    asked = [];
    const r = new Refetcher(client);
    await pour(r, paths, 10);
    expect(asked.length).toBeGreaterThan(12);
    expect(asked.length).toBeLessThanOrEqual(20);
    expect(new Set(asked).size).toBe(paths.length);
    r.stop();
  });
  test('is asked for once a second at most', async () => {
    shown('/campaigns');
    await vi.advanceTimersByTimeAsync(2000);
    asked = [];
    const r = new Refetcher(client);
    await pour(r, ['/campaigns'], 5);
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.length).toBeLessThanOrEqual(5);
    r.stop();
  });
  test('is asked for less often where its reader says so, and not lost', async () => {
    shown('/ai/conversations', 5, 5000);
    await vi.advanceTimersByTimeAsync(2000);
    asked = [];
    const r = new Refetcher(client);
    await pour(r, ['/ai/conversations'], 2);
    expect(asked.length).toBe(0);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked.length).toBe(1);
    r.stop();
  });
  test('is asked for at once when nothing was for a while, and last of all after the last event', async () => {
    shown('/campaigns');
    await vi.advanceTimersByTimeAsync(5000);
    asked = [];
    const r = new Refetcher(client);
    await vi.advanceTimersByTimeAsync(5000);
    r.stale(['/campaigns']);
    await vi.advanceTimersByTimeAsync(10);
    expect(asked.length).toBe(1);
    r.stale(['/campaigns']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked.length).toBe(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked.length).toBe(2);
  });
  test('is not asked for beside a question that is on its way, but behind it', async () => {
    shown('/campaigns', 3000);
    const r = new Refetcher(client);
    r.stale(['/campaigns']);
    await vi.advanceTimersByTimeAsync(2900);
    expect(asked.length).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked.length).toBe(2);
  });
  test('is only marked when nobody sees it', async () => {
    const leave = shown('/campaigns');
    await vi.advanceTimersByTimeAsync(2000);
    leave();
    const r = new Refetcher(client);
    r.stale(['/campaigns']);
    await vi.advanceTimersByTimeAsync(3000);
    expect(asked.length).toBe(1);
    shown('/campaigns');
    await vi.advanceTimersByTimeAsync(100);
    expect(asked.length).toBe(2);
  });
  test('is not asked for when it is not there: who makes it asks for it', async () => {
    const queryFn = vi.fn(() => Promise.reject(new ApiError({ status: 404, code: 'not_found', message: 'sentence' })));
    new QueryObserver(client, { queryKey: ['/campaigns/{id}', {}, {}], retry: false, queryFn }).subscribe(() => {});
    await vi.advanceTimersByTimeAsync(2000);
    const r = new Refetcher(client);
    r.stale(['/campaigns']);
    r.everything();
    await vi.advanceTimersByTimeAsync(3000);
    expect(queryFn).toHaveBeenCalledTimes(1);
  });
});

describe('rules of features', () => {
  const rules: EventRule[] = [
    { on: ['campaign.*'], stale: ['/dashboard'] },
    { on: ['campaign.completed', 'message.*'], stale: ['/campaigns', '/dashboard'] },
    {
      on: ['campaign.progress'],
      patch: (data, cache) => cache.change('/campaigns/{id}', (c) => (c.id === data.campaign_id ? { ...c, name: 'changed' } : c)),
    },
  ];
  const nothing: Cache = { change: () => {} };
  test('name what an event makes stale, each path once', () => {
    expect(apply(rules, 'campaign.completed', {}, nothing)).toEqual(['/dashboard', '/campaigns']);
    expect(apply(rules, 'message.failed', {}, nothing)).toEqual(['/campaigns', '/dashboard']);
    expect(apply(rules, 'account.paused', {}, nothing)).toEqual([]);
  });
  test('change answers where they are, with what the envelope holds, and ask for nothing', () => {
    const key = (id: string) => ['/campaigns/{id}', { id }, {}];
    for (const id of ['cmp_1', 'cmp_2']) client.setQueryData(key(id), { id, name: 'before' });
    expect(apply(rules.slice(2), 'campaign.progress', { id: 'evt_1', data: { campaign_id: 'cmp_1' } }, cacheOf(client))).toEqual([]);
    expect(client.getQueryData(key('cmp_1'))).toEqual({ id: 'cmp_1', name: 'changed' });
    expect(client.getQueryData(key('cmp_2'))).toEqual({ id: 'cmp_2', name: 'before' });
    expect(client.isFetching()).toBe(0);
  });
});
