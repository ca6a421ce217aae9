import { problemOf, type Schema } from '@shell';

export type Conversation = Schema<'InboxConversation'>;
/** One conversation with the messages that were read so far, the oldest first. */
export type Opened = Schema<'InboxOpened'>;
export type Message = Schema<'InboxMessage'>;
export type File = Schema<'InboxFile'>;
export type Handoff = Schema<'InboxHandoff'>;
export type Draft = Schema<'InboxDraft'>;
export type Upload = Schema<'FileUpload'>;

/** The one address of a file of a message. */
export const fileAddress = (conversation: string, file: string, thumb = false): string =>
  `/api/v1/ai/conversations/${conversation}/attachments/${file}${thumb ? '?thumb=1' : ''}`;

/** Asks the service to fetch a file that is not here; it throws an ApiError that says why there is none. */
export async function askForFile(conversation: string, file: string): Promise<void> {
  const answer = await fetch(fileAddress(conversation, file), { headers: { Range: 'bytes=0-0' }, credentials: 'same-origin' });
  if (!answer.ok) throw problemOf(answer, await answer.json().catch(() => undefined));
}
