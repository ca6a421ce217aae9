import { describe, expect, test } from 'vitest';
import { covered, type Entry, link, verify } from './chain';

const entry = (seq: number, more: Partial<Entry> = {}): Entry => ({
  id: `aud_${seq}`, seq, at: '2026-05-01T10:00:00Z', actor: { type: 'USER', id: 'usr_1', name: 'Olga <o>' }, action: 'list.created', resource: { type: 'list', id: 'lst_1', name: 'A & B' },
  changes: null, reason: null, ip: '127.0.0.1', user_agent: null, request_id: null, support_session_id: null, hash: '', ...more,
});

async function chain(n: number): Promise<Entry[]> {
  const out: Entry[] = [];
  for (let seq = 1; seq <= n; seq++) {
    const e = entry(seq);
    e.hash = await link(out.at(-1)?.hash ?? '', e);
    out.push(e);
  }
  return out;
}

const reader = (list: Entry[], size = 3) => (offset: number) => Promise.resolve({ data: list.slice(offset, offset + size), total: list.length });
const quiet = () => {};

test('what is covered is written as the server writes it', () => {
  expect(covered(entry(1, { changes: { b: { from: null, to: '<' }, a: { from: 1, to: 2 } } }))).toBe(
    '{"seq":1,"id":"aud_1","at":"2026-05-01T10:00:00Z","actor":{"type":"USER","id":"usr_1","name":"Olga \\u003co\\u003e"},"action":"list.created",'
    + '"resource":{"type":"list","id":"lst_1","name":"A \\u0026 B"},"changes":{"a":{"from":1,"to":2},"b":{"from":null,"to":"\\u003c"}},"ip":"127.0.0.1"}',
  );
});

describe('a chain', () => {
  test('that is whole says how long it is', async () => {
    expect(await verify(reader(await chain(7)), quiet)).toEqual({ ok: true, count: 7 });
    expect(await verify(reader([]), quiet)).toEqual({ ok: true, count: 0 });
  });
  test('is whole when entries of one moment come in another order', async () => {
    const list = await chain(5);
    [list[2], list[3]] = [list[3]!, list[2]!];
    expect(await verify(reader(list), quiet)).toEqual({ ok: true, count: 5 });
  });
  test('names the entry that was changed', async () => {
    const list = await chain(6);
    list[3] = { ...list[3]!, action: 'list.deleted' };
    expect(await verify(reader(list), quiet)).toMatchObject({ ok: false, count: 3, seq: 4 });
  });
  test('names the place of an entry that is missing', async () => {
    const list = await chain(6);
    list.splice(2, 1);
    expect(await verify(reader(list), quiet)).toEqual({ ok: false, count: 2, seq: 3 });
  });
});
