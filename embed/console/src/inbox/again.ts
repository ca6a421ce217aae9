// A reply that the network refused, as it goes again: its text in its styles, what it answers, and its files. An upload goes
// into one reply, so that the files are read from the message and uploaded anew.
import { upload } from '@shell';
import { type Quoted, send, type Words } from './outbox';
import { type File as InboxFile, fileAddress, type Message, type Upload } from './types';

type Entity = Message['entities'][number];

/** A file of the message could not be read any more. */
export class FileGone extends Error {
  constructor(readonly file: InboxFile) {
    super(`the file ${file.id} cannot be read`);
  }
}

/** The words of a message, without its files. */
export function wordsOf(m: Message): Omit<Words, 'files'> {
  const text = m.text ?? '';
  const styled = m.entities.length > 0;
  return { text: styled ? htmlOf(text, 0, text.length, m.entities) : text, format: styled ? 'HTML' : 'PLAIN', quote: quoteOf(m) };
}

function quoteOf(m: Message): Quoted | undefined {
  const q = m.reply_to;
  return q?.id && q.author ? { id: q.id, author: q.author, preview: q.preview ?? '' } : undefined;
}

/** Says whether there is something of a message to send, and it was not removed. */
export const goesAgain = (m: Message): boolean => m.deleted_at === null && !m.purged && (Boolean(m.text) || m.files.length > 0);

/** The first file of a message that is not kept here, and so cannot go again. */
export const lostOf = (m: Message): InboxFile | undefined => m.files.find((f) => f.status !== 'STORED');

/** Uploads the files of a message anew and sends it again. A file that is gone is a FileGone. */
export async function sendAgain(conversation: string, m: Message): Promise<void> {
  const files: Upload[] = [];
  for (const f of m.files) files.push(await uploaded(conversation, f));
  send(conversation, { ...wordsOf(m), files });
}

async function uploaded(conversation: string, f: InboxFile): Promise<Upload> {
  const answer = await fetch(fileAddress(conversation, f.id), { credentials: 'same-origin' });
  if (answer.status !== 200) throw new FileGone(f);
  const name = f.file_name ?? f.kind.toLowerCase();
  const form = new FormData();
  form.set('file', new File([await answer.arrayBuffer()], name), name);
  return upload(`/ai/conversations/${conversation}/uploads` as '/ai/conversations/{id}/uploads', form);
}

const tags: Partial<Record<string, string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
  spoiler: 'tg-spoiler',
  code: 'code',
};

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c as '&']);

/** A part of a text in the HTML of the service, with the entities that begin in it. They count UTF-16 units. */
function htmlOf(text: string, from: number, to: number, entities: readonly Entity[]): string {
  let out = '';
  let at = from;
  const open = entities.filter((e) => e.length > 0).sort((a, b) => a.offset - b.offset || b.length - a.length);
  while (open.length > 0) {
    const e = open.shift()!;
    if (e.offset < at || e.offset >= to) continue;
    const end = Math.min(to, e.offset + e.length);
    const inner = open.filter((x) => x.offset < end);
    open.splice(0, inner.length);
    // What begins in it and ends behind it goes on there: tags may not overlap.
    open.unshift(...inner.filter((x) => x.offset + x.length > end).map((x) => ({ ...x, offset: end, length: x.offset + x.length - end })));
    out += escaped(text.slice(at, e.offset)) + tagged(e, htmlOf(text, e.offset, end, inner));
    at = end;
  }
  return out + escaped(text.slice(at, to));
}

function tagged(e: Entity, inner: string): string {
  const tag = tags[e.type];
  if (tag) return `<${tag}>${inner}</${tag}>`;
  switch (e.type) {
    case 'pre':
      return e.language ? `<pre><code class="language-${escaped(e.language)}">${inner}</code></pre>` : `<pre>${inner}</pre>`;
    case 'blockquote':
      return `<blockquote>${inner}</blockquote>`;
    case 'text_url':
      return `<a href="${escaped(e.url ?? '')}">${inner}</a>`;
  }
  return inner;
}
