// The conversation that is open: read once, changed where it is by events and by what a person does.
import { type Answer, type ApiError, call, queries, refresh } from '@shell';
import { useQuery } from '@tanstack/react-query';
import { lengthened, patched, renewed, Tellings, withMessage } from './merge';
import type { Conversation, Message, Opened } from './types';

/** Messages of the first answer, and of each page of older ones. */
const firstPage = 50;
const olderPage = 100;

const keyOf = (id: string) => ['/inbox/opened', { id }] as const;
const path = '/ai/conversations/{id}';
const tellings = new Tellings();

/** Reads a part of a conversation; what was told meanwhile is not taken back by an answer that is older. */
async function read(id: string, query: { limit: number; before?: string }, signal?: AbortSignal): Promise<Opened> {
  const begun = tellings.begin();
  const answer = await call('get', path, { path: { id }, query, signal });
  return tellings.current(openedOf(id), answer, begun);
}

/** An event told of a message: answers to reads that began before are older. */
export const told = (message: string): void => tellings.told(message);

export const openedOf = (id: string): Opened | undefined => queries.getQueryData<Opened>(keyOf(id));

/** Changes what is shown of a conversation that was read. */
export function change(id: string, to: (o: Opened) => Opened): void {
  const next = queries.setQueryData<Opened>(keyOf(id), (old) => old && to(old));
  if (next) intoRows(next);
}

/** The row of the conversation in every list that was read says the same at once; what belongs into a list is asked for. */
function intoRows({ messages: _messages, has_older: _older, handoff: _handoff, draft: _draft, reply: _reply, ...row }: Opened): void {
  queries.setQueriesData<Answer<'/ai/conversations', 'get'>>({ predicate: (q) => q.queryKey[0] === '/ai/conversations' }, (list) =>
    list?.data.some((c) => c.id === row.id) ? { ...list, data: list.data.map((c) => (c.id === row.id ? row : c)) } : list,
  );
}

/** Reads a conversation; older messages that were read stay while it is renewed. */
export function useOpened(id: string) {
  return useQuery<Opened, ApiError>({
    queryKey: keyOf(id),
    staleTime: 5000,
    // Messages that stay are the same objects; comparing thousands of others field by field, moved by a page, takes long.
    structuralSharing: false,
    queryFn: async ({ signal }) => renewed(openedOf(id), await read(id, { limit: firstPage }, signal)),
  });
}

/** Brings the page of messages before those that were read. */
export async function readOlder(id: string): Promise<void> {
  const old = openedOf(id);
  const first = old?.messages[0];
  if (!old?.has_older || !first) return;
  const older = await call('get', path, { path: { id }, query: { before: first.id, limit: olderPage } });
  change(id, (now) => lengthened(now, older));
}

/** Reads the newest messages, so many, with what else is told of the conversation. */
export async function readNewest(id: string, count: number, expected: readonly string[]): Promise<void> {
  const part = await read(id, { limit: Math.min(count, firstPage) });
  const known = openedOf(id);
  if (!known) return;
  const next = patched(known, part);
  if (expected.every((m) => next.messages.some((x) => x.id === m))) change(id, (now) => patched(now, part));
  else await queries.invalidateQueries({ queryKey: keyOf(id) }); // it came between others
}

/** Reads one message again: the one before the next. */
export async function readAgain(id: string, message: string): Promise<void> {
  const known = openedOf(id);
  const at = known?.messages.findIndex((m) => m.id === message) ?? -1;
  if (!known || at < 0) return;
  const next = known.messages[at + 1];
  const part = await read(id, { before: next?.id, limit: 1 });
  change(id, (now) => patched(now, part));
  // Another one came behind it meanwhile.
  if (!part.messages.some((m) => m.id === message)) await queries.invalidateQueries({ queryKey: keyOf(id) });
}

/** A message that an answer told. */
export function take(id: string, m: Message): void {
  change(id, (now) => withMessage(now, m));
}

/** The answer of an operation that changes a conversation. */
export function takeRow(row: Conversation): void {
  change(row.id, (now) => ({ ...now, ...row }));
  void refresh('/ai/conversations');
}
