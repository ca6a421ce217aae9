import { afterEach, expect, test, vi } from 'vitest';
import { FileGone, goesAgain, lostOf, sendAgain, wordsOf } from './again';
import type { Message } from './types';

const sent = vi.hoisted(() => ({ words: [] as unknown[], forms: [] as FormData[] }));
vi.mock('./outbox', () => ({ send: (conversation: string, w: object) => sent.words.push({ conversation, ...w }) }));
vi.mock('@shell', () => ({
  upload: (path: string, form: FormData) => {
    sent.forms.push(form);
    return Promise.resolve({ upload_id: `upl_${sent.forms.length}`, path });
  },
}));

const failed = (more: Partial<Message>): Message =>
  ({
    id: 'msg_1',
    text: null,
    entities: [],
    files: [],
    reply_to: null,
    deleted_at: null,
    purged: false,
    status: 'FAILED',
    ...more,
  }) as Message;
const file = (n: number, more = {}) =>
  ({ id: `fil_${n}`, kind: 'PHOTO', status: 'STORED', file_name: `${n}.png`, ...more }) as Message['files'][number];

afterEach(() => {
  vi.unstubAllGlobals();
  sent.words = [];
  sent.forms = [];
});

test('keeps the styles of a text, as HTML that closes what it opens', () => {
  const m = failed({
    text: 'a <b> & c https',
    entities: [
      { type: 'bold', offset: 0, length: 5 },
      { type: 'italic', offset: 2, length: 7 },
      { type: 'text_url', offset: 10, length: 5, url: 'https://a.uz/?x="1"&y' },
    ] as Message['entities'],
  });
  expect(wordsOf(m)).toEqual({
    text: '<b>a <i>&lt;b&gt;</i></b><i> &amp; c</i> <a href="https://a.uz/?x=&quot;1&quot;&amp;y">https</a>',
    format: 'HTML',
    quote: undefined,
  });
  expect(wordsOf(failed({ text: '1 < 2' }))).toMatchObject({ text: '1 < 2', format: 'PLAIN' });
});

test('keeps what it answers, unless that is not here any more', () => {
  const reply_to = { id: 'msg_0', author: 'CUSTOMER', preview: 'Narxi?' } as Message['reply_to'];
  expect(wordsOf(failed({ text: 'a', reply_to })).quote).toEqual({ id: 'msg_0', author: 'CUSTOMER', preview: 'Narxi?' });
  expect(wordsOf(failed({ text: 'a', reply_to: { ...reply_to!, id: null } })).quote).toBeUndefined();
});

test('uploads its files anew, in their order and under their names', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (at: string) => {
    asked.push(at);
    return Promise.resolve(new Response(at.endsWith('fil_1') ? 'one' : 'second', { status: 200 }));
  });
  await sendAgain('cnv_1', failed({ text: 'Mana', files: [file(1), file(2, { file_name: null, kind: 'VOICE' })] }));
  expect(asked).toEqual(['/api/v1/ai/conversations/cnv_1/attachments/fil_1', '/api/v1/ai/conversations/cnv_1/attachments/fil_2']);
  const forms = sent.forms.map((f) => f.get('file') as File);
  expect(forms.map((f) => [f.name, f.size])).toEqual([
    ['1.png', 3],
    ['voice', 6],
  ]);
  expect(sent.words).toMatchObject([
    { conversation: 'cnv_1', text: 'Mana', format: 'PLAIN', files: [{ upload_id: 'upl_1' }, { upload_id: 'upl_2' }] },
  ]);
});

test('sends nothing when a file is gone, and says which', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 404 })));
  const m = failed({ text: 'Mana', files: [file(1)] });
  await expect(sendAgain('cnv_1', m)).rejects.toMatchObject({ file: { id: 'fil_1' } });
  await expect(sendAgain('cnv_1', m)).rejects.toBeInstanceOf(FileGone);
  expect(sent.words).toEqual([]);
  expect(lostOf(failed({ files: [file(1), file(2, { status: 'UNAVAILABLE' })] }))?.id).toBe('fil_2');
});

test('has nothing to send of what was removed', () => {
  expect(goesAgain(failed({ text: 'a' }))).toBe(true);
  expect(goesAgain(failed({ files: [file(1)] }))).toBe(true);
  expect(goesAgain(failed({ text: 'a', deleted_at: '2026-11-20T07:00:00Z' }))).toBe(false);
  expect(goesAgain(failed({ purged: true }))).toBe(false);
  expect(goesAgain(failed({}))).toBe(false);
});
