import { setZone } from '@shell/language/zone';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asksForCanned, filled, meant } from './canned';
import { keepDraft, nothing, readDraft } from './drafts';
import { joined, lengthened, patched, renewed, Tellings, updated } from './merge';
import { firstUnread, rowsOf } from './rows';
import type { Message, Opened } from './types';
import { bars, heightsOf, lengthOf } from './waveform';

const message = (n: number, more: Partial<Message> = {}): Message =>
  ({
    id: `msg_${n}`,
    at: new Date(Date.UTC(2026, 10, 20, 10, n)).toISOString(),
    direction: 'IN',
    author: 'CUSTOMER',
    status: 'RECEIVED',
    imported: false,
    merged_into: null,
    client_id: null,
    read_at: null,
    text: `text ${n}`,
    ...more,
  }) as Message;
const opened = (ns: readonly number[], more: Partial<Opened> = {}): Opened =>
  ({ id: 'cnv_1', messages: ns.map((n) => message(n)), has_older: true, ...more }) as Opened;
const ids = (o: { messages: readonly Message[] }) => o.messages.map((m) => Number(m.id.slice(4)));

describe('what was read of a conversation', () => {
  test('keeps older pages while it is renewed, and what came meanwhile', () => {
    const old = opened([1, 2, 3, 4, 9], { has_older: false });
    expect(ids(renewed(old, opened([3, 4, 5])))).toEqual([1, 2, 3, 4, 5, 9]);
    expect(renewed(old, opened([3, 4, 5])).has_older).toBe(false);
  });
  test('begins anew when messages between are not known, so that none is left out in silence', () => {
    expect(ids(renewed(opened([1, 2]), opened([8, 9])))).toEqual([8, 9]);
  });
  test('lets go of a message that is not there any more', () => {
    expect(ids(renewed(opened([1, 2, 3, 4]), opened([2, 4])))).toEqual([1, 2, 4]);
  });
  test('takes what was added without its other messages, and pages before it', () => {
    expect(ids(patched(opened([1, 2]), opened([3])))).toEqual([1, 2, 3]);
    const longer = lengthened(opened([3, 4]), opened([1, 2], { has_older: false }));
    expect([ids(longer), longer.has_older]).toEqual([[1, 2, 3, 4], false]);
  });
  test('has each message once when pages overlap', () => {
    expect(joined([message(3), message(4)], [message(2), message(3)]).map((m) => m.id)).toEqual(['msg_2', 'msg_3', 'msg_4']);
    expect(joined([], [message(1)]).map((m) => m.id)).toEqual(['msg_1']);
  });
  test('has the order of its times to the microsecond', () => {
    const at = (id: string, when: string) => message(0, { id, at: when });
    const list = [at('b', '2026-11-20T07:00:00.000002Z'), at('c', '2026-11-20T07:00:00.00001Z')];
    expect(joined(list, [at('a', '2026-11-20T07:00:00Z')]).map((m) => m.id)).toEqual(['a', 'b', 'c']);
  });
});

describe('answers that overtake each other', () => {
  const text = (o: Opened) => o.messages.map((m) => m.text);
  test('an older answer takes nothing back that a newer one told', () => {
    const t = new Tellings();
    const [older, newer] = [t.begin(), t.begin()];
    const shown = t.current(opened([1]), opened([1, 2], { messages: [message(1), message(2, { text: 'with its picture' })] }), newer);
    expect(text(t.current(shown, opened([1, 2]), older))).toEqual(['text 1', 'with its picture']);
  });
  test('nor what an event told while it was on its way', () => {
    const t = new Tellings();
    const begun = t.begin();
    const shown = opened([1], { messages: [message(1, { text: 'sent' })] });
    t.told('msg_1');
    expect(text(t.current(shown, opened([1]), begun))).toEqual(['sent']);
    expect(text(t.current(shown, opened([1]), t.begin()))).toEqual(['text 1']);
  });
});

describe('an event of a message', () => {
  const out = { direction: 'OUT', status: 'QUEUED' } as const;
  const now = '2026-11-20T12:00:00Z';
  test('changes its state, and asks for nothing', () => {
    const old = opened([], { messages: [message(1, out)] });
    expect(updated(old, { message_id: 'msg_1', change: 'sent' }, now)?.messages[0]).toMatchObject({ status: 'SENT', sent_at: now });
    const failed = updated(old, { message_id: 'msg_1', change: 'failed', error_code: 'PEER_BLOCKED' }, now);
    expect(failed?.messages[0]).toMatchObject({ status: 'FAILED', error_code: 'PEER_BLOCKED' });
  });
  test('that it was read holds for those before it, and for no customer', () => {
    const sent = { direction: 'OUT', status: 'SENT' } as const;
    const old = opened([], { messages: [message(1, sent), message(2), message(3, sent), message(4, sent)] });
    const next = updated(old, { message_id: 'msg_3', change: 'read', read_at: now }, now);
    expect(next?.messages.map((m) => m.read_at)).toEqual([now, null, now, null]);
  });
  test('that tells no words has the message asked for; one that is not known changes nothing', () => {
    expect(updated(opened([1]), { message_id: 'msg_1', change: 'edited' }, now)).toBeUndefined();
    const old = opened([1]);
    expect(updated(old, { message_id: 'msg_7', change: 'edited' }, now)).toBe(old);
  });
});

describe('rows', () => {
  afterEach(() => setZone(undefined));
  test('have the days of the organization between them', () => {
    setZone('Asia/Tashkent');
    const list = [message(1, { at: '2026-11-20T18:59:00Z' }), message(2, { at: '2026-11-20T19:01:00Z' })];
    expect(rowsOf(list, [], undefined).map((r) => r.id)).toEqual(['day 2026-11-20', 'msg_1', 'day 2026-11-21', 'msg_2']);
    setZone('UTC');
    expect(rowsOf(list, [], undefined).map((r) => r.id)).toEqual(['day 2026-11-20', 'msg_1', 'msg_2']);
  });
  test('say where the unread begin, which are the last ones of the customer', () => {
    const list = [message(1), message(2), message(3, { direction: 'OUT' }), message(4)];
    expect(firstUnread(list, 2)).toBe('msg_2');
    expect(firstUnread(list, 0)).toBeUndefined();
    expect(firstUnread(list, 9)).toBeUndefined();
    setZone('UTC');
    expect(rowsOf(list, [], 'msg_2').map((r) => r.id)).toEqual(['day 2026-11-20', 'msg_1', 'unread', 'msg_2', 'msg_3', 'msg_4']);
  });
  test('show a reply once: on its way, and then its answer in the same row', () => {
    setZone('UTC');
    const o = { ...nothing, clientId: 'one', conversation: 'cnv_1', text: 'a', at: '2026-11-20T10:05:00Z' };
    expect(rowsOf([message(1)], [o], undefined).map((r) => `${r.kind} ${r.id}`)).toEqual([
      'day day 2026-11-20',
      'message msg_1',
      'outgoing one',
    ]);
    const answered = rowsOf([message(1), message(5, { client_id: 'one', direction: 'OUT' })], [o], undefined);
    expect(answered.map((r) => `${r.kind} ${r.id}`)).toEqual(['day day 2026-11-20', 'message msg_1', 'message one']);
  });
  test('leave out the copy of a reply', () => {
    expect(rowsOf([message(1, { merged_into: 'msg_9' })], [], undefined)).toEqual([]);
  });
});

describe('drafts', () => {
  beforeEach(() => sessionStorage.clear());
  test('stay with their conversation, and go when they are empty', () => {
    keepDraft('cnv_1', { ...nothing, text: 'Salom' });
    expect(readDraft('cnv_1').text).toBe('Salom');
    expect(readDraft('cnv_2')).toBe(nothing);
    keepDraft('cnv_1', nothing);
    expect(sessionStorage.length).toBe(0);
  });
  test('that are none are not taken', () => {
    sessionStorage.setItem('svc.draft.cnv_1', '{"text":1}');
    expect(readDraft('cnv_1')).toBe(nothing);
    sessionStorage.setItem('svc.draft.cnv_1', '{');
    expect(readDraft('cnv_1')).toBe(nothing);
  });
});

describe('ready answers', () => {
  const person = { contact: { name: 'Nodira Karimova', username: 'nodira' }, recipient: null } as unknown as Opened;
  test('are filled for the person: a reply has no variables', () => {
    expect(filled('Salom, {{first_name}}! {{ username }} {{city|Toshkent}} {{opt_out_url}}', person)).toBe(
      'Salom, Nodira! nodira Toshkent',
    );
  });
  test('are asked for by a stroke and the beginning of a word', () => {
    expect(['/', '/nar', 'a/', '/a/b', '/two\nlines'].map(asksForCanned)).toEqual([true, true, false, false, false]);
    const all = ['Narxlar', 'Yangi narx', 'Manzil'].map((name) => ({ id: name, name, text: '', format: 'PLAIN' }));
    expect(meant(all, '/nar').map((x) => x.name)).toEqual(['Narxlar', 'Yangi narx']);
    expect(meant(all, '/')).toHaveLength(3);
  });
});

describe('a voice message', () => {
  test('has heights of five bits each, the low ones first', () => {
    expect(heightsOf(btoa(String.fromCharCode(0b11100001, 0b00000011)))).toEqual([1, 31, 0]);
    expect(heightsOf(null)).toEqual([]);
    expect(heightsOf('%')).toEqual([]);
  });
  test('is drawn in so many bars, each as high as the highest of its part', () => {
    expect(bars([1, 9, 2, 3], 2)).toEqual([9, 3]);
    expect(bars([7], 3)).toEqual([7, 7, 7]);
    expect(bars([], 2)).toHaveLength(2);
    expect(lengthOf(65)).toBe('1:05');
  });
});
