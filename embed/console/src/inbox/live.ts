// What events do to the conversation that is open: they change it where it is, and only what was added is asked for.
import { type StreamEvent, useEvents } from '@shell';
import { useEffect, useRef } from 'react';
import { updated } from './merge';
import { change, openedOf, readAgain, readNewest, told } from './opened';

const types = [
  'ai.conversation.message',
  'ai.conversation.message_updated',
  'ai.conversation.attachment_ready',
  'ai.conversation.state',
  'ai.conversation.opted_out',
  'ai.conversation.read',
  'ai.conversation.assigned',
  'ai.handoff.created',
  'ai.handoff.updated',
  'ai.reply.drafted',
  'ai.draft.updated',
  'ai.stage.changed',
  'ai.lead.updated',
] as const;

/** ms in which messages that arrive together are asked for together. */
const together = 60;

type Data = Readonly<Record<string, unknown>>;
interface Envelope {
  timestamp?: string;
  data?: Data;
}

/** Keeps the conversation of a page up to date. onMessage hears of each message that arrives. */
export function useLive(id: string, onMessage: (data: Data) => void): void {
  const waiting = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const soon = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const asked = [...waiting.current];
      waiting.current.clear();
      void readNewest(id, Math.max(1, asked.length), asked).catch(() => {}); // the next event, or the focus, asks again
    }, together);
  };
  const bring = (message: string): void => {
    waiting.current.add(message);
    soon();
  };
  useEvents(types, (e: StreamEvent) => {
    const envelope = (e.data ?? {}) as Envelope;
    const data = envelope.data ?? {};
    if (data.conversation_id !== id) return;
    const message = String(data.message_id);
    const shown = openedOf(id)?.messages.some((m) => m.id === message);
    if (e.type === 'ai.conversation.message') {
      onMessage(data);
      if (!shown) bring(message); // one that is ours was answered before
    } else if (e.type === 'ai.conversation.message_updated') {
      const old = openedOf(id);
      const next = old && updated(old, data, envelope.timestamp ?? new Date().toISOString());
      if (next) {
        told(message);
        change(id, () => next);
      } else if (old) void readAgain(id, message).catch(() => {});
    } else if (e.type === 'ai.conversation.attachment_ready') {
      if (shown) void readAgain(id, message).catch(() => {});
      else bring(message); // the answer that is on its way may have been given before
    } else if (e.type === 'ai.conversation.read' && data.by) {
      change(id, (now) => ({ ...now, unread_count: 0 })); // here; in the network's own app some may be left
    } else {
      soon();
    }
  });
}
