// What was read of a conversation, put together from its parts; pure.
import type { Message, Opened } from './types';

/** Messages of both, each once in the version of the newer answer, in the order of the conversation. */
export function joined(old: readonly Message[], fresh: readonly Message[]): Message[] {
  const [first, last] = [old[0], fresh.at(-1)];
  if (first && last && isBefore(last, first)) return [...fresh, ...old]; // an older page: nothing to sort among thousands
  const byId = new Map(old.map((m) => [m.id, m]));
  for (const m of fresh) byId.set(m.id, m);
  const all = [...byId.values()];
  for (let i = 1; i < all.length; i++) if (isBefore(all[i]!, all[i - 1]!)) return all.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  return all;
}

/** Times have fractions of different lengths: as text they do not compare. */
function isBefore(a: Message, b: Message): boolean {
  const [x, y] = [Date.parse(a.at), Date.parse(b.at)];
  return x === y ? fraction(a.at) < fraction(b.at) : x < y;
}

const fraction = (at: string): number => Number(`0.${/\.(\d+)/.exec(at)?.[1] ?? '0'}`);

/** Most messages of which the last telling is known. */
const mostTold = 5000;

/** Which telling of a message is the last one: answers overtake each other, and events overtake answers. */
export class Tellings {
  private count = 0;
  private readonly last = new Map<string, number>();

  /** A read begins. */
  begin(): number {
    if (this.last.size >= mostTold) this.last.clear();
    return ++this.count;
  }

  /** An event told of a message. */
  told(message: string): void {
    this.last.set(message, ++this.count);
  }

  /** The answer to a read that began then: messages of which was told since stay as they are shown. */
  current(shown: Opened | undefined, answer: Opened, begun: number): Opened {
    const messages = answer.messages.map((m) => {
      if ((this.last.get(m.id) ?? 0) > begun) return shown?.messages.find((x) => x.id === m.id) ?? m;
      this.last.set(m.id, begun);
      return m;
    });
    return { ...answer, messages };
  }
}

/** A newer answer in place of an older one. Older messages that were read stay, unless some between them are not known. */
export function renewed(old: Opened | undefined, fresh: Opened): Opened {
  if (!old || fresh.messages.length === 0) return fresh;
  const first = fresh.messages[0]!;
  const meets = !fresh.has_older || old.messages.some((m) => m.id === first.id);
  if (!meets) return fresh;
  const last = fresh.messages.at(-1)!;
  // One that is behind them all came meanwhile; one among them that is not there is gone.
  const gone = (m: Message) => !isBefore(m, first) && isBefore(m, last) && !fresh.messages.some((x) => x.id === m.id);
  const kept = old.messages.filter((m) => !gone(m));
  return {
    ...fresh,
    messages: joined(kept, fresh.messages),
    has_older: kept.some((m) => isBefore(m, first)) ? old.has_older : fresh.has_older,
  };
}

/** What an answer with a few messages tells, without asking for the others again. */
export function patched(old: Opened, part: Opened): Opened {
  return { ...part, messages: joined(old.messages, part.messages), has_older: old.has_older };
}

/** Older messages before those that were read. */
export function lengthened(old: Opened, older: Opened): Opened {
  return { ...old, messages: joined(old.messages, older.messages), has_older: older.has_older };
}

/** One message more, or another version of one. */
export function withMessage(old: Opened, m: Message): Opened {
  return { ...old, messages: joined(old.messages, [m]) };
}

/** What an event tells of a message. It gives undefined when the message must be asked for. */
export function updated(old: Opened, data: Readonly<Record<string, unknown>>, at: string): Opened | undefined {
  const target = old.messages.find((m) => m.id === data.message_id);
  if (!target) return old;
  const set = (change: Partial<Message>): Opened => withMessage(old, { ...target, ...change });
  switch (data.change) {
    case 'sent':
      if (data.merged_into) return undefined;
      return set({
        status: 'SENT',
        sent_at: at,
        error_code: null,
        platform_message_id: (data.platform_message_id as string | undefined) ?? target.platform_message_id,
      });
    case 'failed':
      return set({ status: 'FAILED', error_code: (data.error_code as string | undefined) ?? null });
    case 'cancelled':
      return set({ status: 'CANCELLED', error_code: (data.error_code as string | undefined) ?? null });
    case 'read': {
      const read = (data.read_at as string | undefined) ?? at;
      const upTo = old.messages.indexOf(target);
      return {
        ...old,
        messages: old.messages.map((m, i) =>
          i <= upTo && m.direction === 'OUT' && !m.read_at && m.status === 'SENT' ? { ...m, read_at: read } : m,
        ),
      };
    }
  }
  return undefined;
}
