// A text as the messenger shows it.
import { Anchor, Code } from '@mantine/core';
import type { Schema } from '@shell';
import type { ReactNode } from 'react';

type Entity = Schema<'MarkupEntity'>;

export interface Piece {
  text: string;
  marks: Entity[];
}

/** Cuts a text where marks begin and end; offsets are in UTF-16 units, as in JavaScript. */
export function piecesOf(text: string, entities: readonly Entity[]): Piece[] {
  const cuts = new Set([0, text.length]);
  for (const e of entities) {
    cuts.add(Math.min(text.length, e.offset));
    cuts.add(Math.min(text.length, e.offset + e.length));
  }
  const at = [...cuts].sort((a, b) => a - b);
  return at.slice(0, -1).map((from, i) => ({
    text: text.slice(from, at[i + 1]),
    marks: entities.filter((e) => e.offset <= from && from < e.offset + e.length),
  }));
}

function marked(p: Piece): ReactNode {
  return p.marks.reduce<ReactNode>((inner, m) => {
    switch (m.type) {
      case 'bold':
        return <b>{inner}</b>;
      case 'italic':
        return <i>{inner}</i>;
      case 'underline':
        return <u>{inner}</u>;
      case 'strikethrough':
        return <s>{inner}</s>;
      case 'spoiler':
        return <span style={{ background: 'var(--mantine-color-default-hover)' }}>{inner}</span>;
      case 'code':
      case 'pre':
        return <Code>{inner}</Code>;
      case 'blockquote':
        return <span style={{ borderInlineStart: '3px solid var(--mantine-color-default-border)', paddingInlineStart: 8 }}>{inner}</span>;
      case 'text_url':
        return (
          <Anchor component="span" inherit title={m.url}>
            {inner}
          </Anchor>
        );
      default:
        return inner;
    }
  }, p.text);
}

export function MessageText({ text, entities }: { text: string; entities: readonly Entity[] }) {
  return (
    <div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {piecesOf(text, entities).map((p, i) => (
        <span key={i}>{marked(p)}</span>
      ))}
    </div>
  );
}
