// What a person brings, before the server reads it: its header and first rows, so that
// columns can be mapped by what stands in them.

import { isWorkbook, rowsOf } from './workbook';

/** The largest file that the API takes. */
export const maxBytes = 10 * 1024 * 1024;

export interface Peek {
  header: string[];
  rows: string[][];
}

const shownRows = 3;
const enough = 64 * 1024;

const isJson = (text: string) => /^\s*[[{]/.test(text);

/** The header and the first rows of a CSV file; null for JSON, which names its own fields. */
export function peek(text: string): Peek | null {
  const start = text.replace(/^\uFEFF/, '');
  if (isJson(start)) return null;
  const rows = parse(start, separatorOf(start), shownRows + 1);
  const header = (rows.shift() ?? []).map((h) => h.trim());
  return { header, rows };
}

/** What a file begins with. Of a text no more is read than its beginning. */
export async function peekFile(file: Blob): Promise<Peek | null> {
  const head = new Uint8Array(await file.slice(0, enough).arrayBuffer());
  if (!isWorkbook(head)) return peek(textOf(head));
  const rows = await rowsOf(file, shownRows + 1).catch(() => undefined);
  return rows ? { header: (rows.shift() ?? []).map((h) => h.trim()), rows } : null;
}

/** The beginning of a text in UTF-8, UTF-16 or Windows-1251, as the server tells them apart. */
export function textOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }); // its end may stand within a character
  } catch {
    return new TextDecoder('windows-1251').decode(head);
  }
}

/** The separator that the first line has most of. */
export function separatorOf(text: string): string {
  const line = /^[^\r\n]*/.exec(text)![0];
  const count = (c: string) => line.split(c).length;
  return [';', '\t'].reduce((best, c) => (count(c) > count(best) ? c : best), ',');
}

/** The first rows of a CSV text; quotes as spreadsheets write them. */
export function parse(text: string, separator: string, most: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const end = () => {
    row.push(cell);
    cell = '';
  };
  for (let i = 0; i < text.length && rows.length < most; i++) {
    const c = text[i]!;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"' && cell.trim() === '') [quoted, cell] = [true, ''];
    else if (c === separator) end();
    else if (c === '\n' || c === '\r') {
      if (c === '\r' && text[i + 1] === '\n') i++;
      end();
      if (row.some((x) => x.trim() !== '')) rows.push(row);
      row = [];
    } else cell += c;
  }
  if (rows.length < most && (cell !== '' || row.length > 0)) {
    end();
    rows.push(row);
  }
  return rows;
}

const bareName = /^(https?:\/\/)?(t\.me\/)?@?[a-z][a-z0-9_]{3,31}$/i;
/** What only a username looks like. */
const signed = /^(@|(https?:\/\/)?t\.me\/)/i;
const bareNumber = /^\d{3,15}$/;

/** The one column whose values look like usernames, where its header does not say so. */
export function usernamesIn({ header, rows }: Peek): string | undefined {
  const found = header.filter((h, i) => {
    const values = rows.map((r) => (r[i] ?? '').trim()).filter(Boolean);
    return h !== '' && values.every((v) => bareName.test(v)) && values.some((v) => signed.test(v));
  });
  return found.length === 1 ? found[0] : undefined;
}

/**
 * A pasted text as a file. One username or number a line needs no header: a list that
 * somebody copied from a chat has none.
 */
export function pasted(text: string): File {
  if (isJson(text)) return new File([text], 'pasted.json', { type: 'application/json' });
  const lines = text
    .split(/\r?\n/)
    .map((l) => l.trim())
    .filter(Boolean);
  const known = /^(username|user_?name|messenger_id|telegram_id|tg_id)$/i;
  const plain = lines.length > 0 && !known.test(lines[0]!) && lines.every((l) => bareName.test(l) || bareNumber.test(l));
  const csv = plain ? ['username,messenger_id', ...lines.map((l) => (bareNumber.test(l) ? `,${l}` : `${l},`))].join('\n') : text;
  return new File([csv], 'pasted.csv', { type: 'text/csv' });
}

/** What the server made of each column of the header; '' where it says nothing. */
export function understood(header: readonly string[], columns: readonly string[], mapping: Readonly<Record<string, string>>): string[] {
  const named = (h: string) => /[\p{L}\p{N}]/u.test(h) && mapping[h] !== '';
  const used = header.filter(named);
  if (used.length !== columns.length) return header.map((h) => mapping[h] ?? '');
  let at = 0;
  return header.map((h) => (named(h) ? columns[at++]! : ''));
}

/** A text as a cell that no spreadsheet takes for a formula. */
export function cell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Has the browser save a text as a file. */
export function save(name: string, text: string): void {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' }));
  a.download = name;
  a.click();
  URL.revokeObjectURL(a.href);
}
