// The rows of a conversation: messages, the days between them, where the unread ones begin, and what is on its way.
import { dayOf } from '@shell';
import type { Outgoing } from './outbox';
import type { Message } from './types';

export type Row =
  | { kind: 'day'; id: string; at: string }
  | { kind: 'unread'; id: 'unread' }
  | { kind: 'message'; id: string; message: Message }
  | { kind: 'outgoing'; id: string; outgoing: Outgoing };

/** The first of the last n messages of the customer; undefined for none, or when it was not read yet. */
export function firstUnread(messages: readonly Message[], n: number): string | undefined {
  let left = n;
  for (let i = messages.length - 1; i >= 0 && left > 0; i--) {
    const m = messages[i]!;
    if (m.direction === 'IN' && !m.imported && --left === 0) return m.id;
  }
  return undefined;
}

/** Rows in the order in which they are read. unread: the message before which new ones begin. */
export function rowsOf(messages: readonly Message[], sending: readonly Outgoing[], unread: string | undefined): Row[] {
  const rows: Row[] = [];
  let day = '';
  const at = (when: string) => {
    const next = dayOf(when);
    if (next === day) return;
    day = next;
    rows.push({ kind: 'day', id: `day ${next}`, at: when });
  };
  const known = new Set<string | null>();
  for (const m of messages) {
    known.add(m.client_id);
    if (m.merged_into) continue; // a copy of a reply, as the network sent it back
    at(m.at);
    if (m.id === unread) rows.push({ kind: 'unread', id: 'unread' });
    // A reply keeps its row when its answer comes.
    rows.push({ kind: 'message', id: m.client_id ?? m.id, message: m });
  }
  for (const o of sending) {
    if (known.has(o.clientId)) continue;
    at(o.at);
    rows.push({ kind: 'outgoing', id: o.clientId, outgoing: o });
  }
  return rows;
}
