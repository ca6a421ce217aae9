// What the buttons of the editor write: the marks of each format.
import type { Format } from './message';

export const styles = ['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'code', 'link', 'quote'] as const;
export type Style = (typeof styles)[number];

type Pair = readonly [before: string, after: string];
const markdown: Record<Style, Pair> = {
  bold: ['**', '**'],
  italic: ['_', '_'],
  underline: ['__', '__'],
  strikethrough: ['~~', '~~'],
  spoiler: ['||', '||'],
  code: ['`', '`'],
  link: ['[', '](https://)'],
  quote: ['> ', ''],
};
const html: Record<Style, Pair> = {
  bold: ['<b>', '</b>'],
  italic: ['<i>', '</i>'],
  underline: ['<u>', '</u>'],
  strikethrough: ['<s>', '</s>'],
  spoiler: ['<tg-spoiler>', '</tg-spoiler>'],
  code: ['<code>', '</code>'],
  link: ['<a href="https://">', '</a>'],
  quote: ['<blockquote>', '</blockquote>'],
};

export interface Edit {
  text: string;
  /** The selection afterwards. */
  from: number;
  to: number;
}

/** Puts a style around what is selected, or takes it away when it is there. */
export function mark(text: string, from: number, to: number, style: Style, format: Format): Edit {
  if (format === 'PLAIN') return { text, from, to };
  const [before, after] = (format === 'HTML' ? html : markdown)[style];
  if (format === 'MARKDOWN' && style === 'quote') return quote(text, from, to);
  const inner = text.slice(from, to);
  const around = text.slice(0, from).endsWith(before) && text.slice(to).startsWith(after);
  if (around && after)
    return {
      text: text.slice(0, from - before.length) + inner + text.slice(to + after.length),
      from: from - before.length,
      to: to - before.length,
    };
  return { text: text.slice(0, from) + before + inner + after + text.slice(to), from: from + before.length, to: to + before.length };
}

/** A quotation of Markdown begins each of its lines with a mark. */
function quote(text: string, from: number, to: number): Edit {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const lines = text.slice(start, to).split('\n');
  const quoted = lines.every((l) => l.startsWith('>'));
  const next = lines.map((l) => (quoted ? l.replace(/^> ?/, '') : `> ${l}`)).join('\n');
  const grown = next.length - (to - start);
  return { text: text.slice(0, start) + next + text.slice(to), from: Math.max(start, from + (quoted ? -2 : 2)), to: to + grown };
}

/** Writes something in place of the selection. */
export function insert(text: string, from: number, to: number, what: string): Edit {
  return { text: text.slice(0, from) + what + text.slice(to), from: from + what.length, to: from + what.length };
}
