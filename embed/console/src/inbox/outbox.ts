// Replies that were written and not answered yet. They stand in the conversation at once; one that did not get through
// says why, and goes again under the same client_id, so that nothing is sent twice.
import { type ApiError, asApiError, call, newKey } from '@shell';
import { useSyncExternalStore } from 'react';
import { openedOf, take } from './opened';
import type { Message, Upload } from './types';

export interface Quoted {
  id: string;
  author: Message['author'];
  preview: string;
}

export interface Words {
  text: string;
  format: 'PLAIN' | 'MARKDOWN' | 'HTML';
  quote?: Quoted;
  files: readonly Upload[];
}

export interface Outgoing extends Words {
  clientId: string;
  conversation: string;
  at: string;
  /** Why it did not get through. */
  problem?: ApiError;
}

const none: readonly Outgoing[] = [];
let all: readonly Outgoing[] = none;
const byConversation = new Map<string, readonly Outgoing[]>();
const listeners = new Set<() => void>();

function set(next: readonly Outgoing[]): void {
  all = next;
  byConversation.clear();
  for (const o of all) byConversation.set(o.conversation, [...(byConversation.get(o.conversation) ?? []), o]);
  for (const told of [...listeners]) told();
}

/** What is on its way in a conversation. */
export function useOutgoing(conversation: string): readonly Outgoing[] {
  return useSyncExternalStore(
    (told) => {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    () => byConversation.get(conversation) ?? none,
  );
}

/** Sends a reply. */
export function send(conversation: string, w: Words): void {
  const o: Outgoing = { ...w, clientId: newKey(), conversation, at: new Date().toISOString() };
  set([...all, o]);
  void deliver(o);
}

/** Sends what did not get through once more. */
export function retry(o: Outgoing): void {
  const again = { ...o, problem: undefined };
  set(all.map((x) => (x.clientId === o.clientId ? again : x)));
  void deliver(again);
}

export function discard(o: Outgoing): void {
  set(all.filter((x) => x.clientId !== o.clientId));
}

/** One after the other in a conversation: they arrive in the order in which they were written. */
const queue = new Map<string, Promise<void>>();

function deliver(o: Outgoing): Promise<void> {
  const next = (queue.get(o.conversation) ?? Promise.resolve()).then(() => post(o));
  queue.set(o.conversation, next);
  return next;
}

async function post(o: Outgoing): Promise<void> {
  try {
    const m = await call('post', '/ai/conversations/{id}/reply', {
      path: { id: o.conversation },
      key: newKey(),
      body: {
        text: o.text,
        format: o.format,
        upload_ids: o.files.map((f) => f.upload_id),
        reply_to_message_id: o.quote?.id ?? null,
        client_id: o.clientId,
      },
    });
    // The events of it may have been quicker than its answer.
    if (!openedOf(o.conversation)?.messages.some((x) => x.id === m.id)) take(o.conversation, m);
    discard(o);
  } catch (thrown) {
    const problem = asApiError(thrown);
    set(all.map((x) => (x.clientId === o.clientId ? { ...x, problem } : x)));
  }
}
