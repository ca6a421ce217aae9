// What a message is, wherever one is written or shown.
import type { Schema } from '@shell';

export const formats = ['PLAIN', 'MARKDOWN', 'HTML'] as const;
export type Format = (typeof formats)[number];

/** What the composer changes; campaigns and templates have more beside it. */
export interface Message {
  text: string;
  format: Format;
  attachment_ids: string[];
  /** Left out where links have no preview to choose. */
  link_preview?: boolean;
  /** The template that the text was taken from. */
  template_id?: string | null;
}

export type Attachment = Schema<'ContentAttachment'>;

/** The most files that a message carries, and the most of them in bytes (contract 47). */
export const maxFiles = 10;
export const maxFile = 20 * 1024 * 1024;
export const maxPhoto = 10 * 1024 * 1024;

/** The most UTF-16 units of a text, and of one that goes with a file (contract 47). */
export const maxText = 4096;
export const maxCaption = 1024;

/** The variable that every campaign needs. */
export const optOut = 'opt_out_url';
/** Fields that every recipient has; others come from what people carry. */
export const ownFields = ['first_name', 'last_name', 'username'] as const;

export const hasContent = (m: Pick<Message, 'text' | 'attachment_ids'>): boolean => m.text.trim() !== '' || m.attachment_ids.length > 0;

const variable = /\{\{\s*([^{}|\n]+?)\s*(?:\|([^{}\n]*))?\}\}/g;

/** The names of the variables of a text, each once. */
export function variablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(variable)].map((m) => m[1]!))];
}

/** A variable as it is written; the default stands in where somebody has no value. */
export function written(name: string, fallback = ''): string {
  const plain = fallback.replace(/[{}|\n]/g, ' ').trim();
  return plain ? `{{${name}|${plain}}}` : `{{${name}}}`;
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' };

/**
 * The words of a text without the marks of its format, for one line of a list. How it is read
 * exactly tells the preview of the API; a list does not ask it for each row.
 */
export function wordsOf({ text, format }: Pick<Message, 'text'> & { format: string }): string {
  if (format === 'HTML')
    return text
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<\/?[a-z][^<>]*>/gi, '')
      .replace(/&(lt|gt|amp|quot|nbsp);/g, (_, name: string) => entities[name]!);
  if (format !== 'MARKDOWN') return text;
  const kept: string[] = [];
  // What a backslash or a variable stands for is no mark: a character of nobody's alphabet keeps its place.
  const keep = (what: string): string => `\uE000${kept.push(what) - 1}\uE000`;
  return text
    .replace(/\{\{[^{}\n]*\}\}/g, keep)
    .replace(/\\([!-/:-@[-`{-~])/g, (_, c: string) => keep(c))
    .replace(/```(?:[a-z]+\n)?([\s\S]*?)```|`([^`\n]+)`/g, (_, a?: string, b?: string) => keep(a ?? b ?? ''))
    .replace(/\[([^\]\n]+)\]\([^()\s]+\)/g, '$1')
    .replace(/(\*\*|\*|__|~~|~|\|\|)(?=\S)([\s\S]*?\S)\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}_])_(?=\S)([\s\S]*?\S)_(?![\p{L}\p{N}_])/gu, '$1$2')
    .replace(/^> ?/gm, '')
    .replace(/\uE000(\d+)\uE000/g, (_, n: string) => kept[Number(n)]!);
}
