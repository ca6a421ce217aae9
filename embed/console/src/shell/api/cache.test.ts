import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test, vi } from 'vitest';
import { type Cache, isUnanswered, Optimistic } from './cache';

const key = (path: string, n = 0) => [path, {}, { n }];
const rename = (name: string) => (cache: Cache) =>
  cache.change('/lists', (page) => ({ ...page, data: page.data.map((l) => ({ ...l, name })) }));
const page = (name: string) => ({ data: [{ id: 'lst_1', name }], total: 1 });

describe('a change that is shown before it is answered', () => {
  test('is in every answer of its path, and taken back when it was refused', () => {
    const client = new QueryClient();
    for (const n of [0, 1]) client.setQueryData(key('/lists', n), page('before'));
    client.setQueryData(key('/lists/{id}'), { name: 'before' });
    const shown = new Optimistic(client);
    shown.apply(rename('after'));
    expect(isUnanswered()).toBe(true);
    for (const n of [0, 1]) expect(client.getQueryData(key('/lists', n))).toEqual(page('after'));
    expect(client.getQueryData(key('/lists/{id}'))).toEqual({ name: 'before' });
    shown.undo();
    shown.settle([], vi.fn());
    expect(isUnanswered()).toBe(false);
    for (const n of [0, 1]) expect(client.getQueryData(key('/lists', n))).toEqual(page('before'));
  });

  test('leaves what somebody else has changed since, and has it asked for again', () => {
    const client = new QueryClient();
    client.setQueryData(key('/lists'), page('before'));
    const shown = new Optimistic(client);
    shown.apply(rename('after'));
    client.setQueryData(key('/lists'), page('of somebody else'));
    shown.undo();
    shown.settle([], vi.fn());
    expect(client.getQueryData(key('/lists'))).toEqual(page('of somebody else'));
    expect(client.getQueryState(key('/lists'))?.isInvalidated).toBe(true);
  });

  test('calls off an answer that is on its way and does not know of it', async () => {
    const client = new QueryClient();
    client.setQueryData(key('/lists'), page('before'));
    let answer: (p: unknown) => void = () => {};
    const old = client.fetchQuery({ queryKey: key('/lists'), queryFn: () => new Promise((done) => (answer = done)), retry: false });
    const shown = new Optimistic(client);
    shown.apply(rename('after'));
    answer(page('before'));
    await old.catch(() => {});
    expect(client.getQueryData(key('/lists'))).toEqual(page('after'));
    shown.settle([], vi.fn());
  });

  test('makes stale what it changes when no other waits for its answer', () => {
    const client = new QueryClient();
    const refresh = vi.fn();
    const [one, other] = [new Optimistic(client), new Optimistic(client)];
    one.settle(['/lists'], refresh);
    expect(refresh).not.toHaveBeenCalled();
    other.settle(['/recipients', '/lists'], refresh);
    expect(refresh.mock.calls).toEqual([['/lists', '/recipients']]);
  });
});
