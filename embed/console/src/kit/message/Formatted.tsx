import { Blockquote, Code, Text } from '@mantine/core';
import type { Schema } from '@shell';
import { createContext, Fragment, type ReactNode, useContext } from 'react';

type Entity = Schema<'MarkupEntity'>;

interface Props {
  text: string;
  entities: readonly Entity[] | null;
  /** Links lead where they say, in a tab of their own; without it they are only to be looked at. */
  links?: boolean;
}

/** A text with its styles, as a messenger shows it. Entities count UTF-16 units, as JavaScript does. */
export function Formatted({ text, entities, links = false }: Props) {
  return (
    <Links value={links}>
      <Text component="div" size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {nodes(text, 0, text.length, entities ?? [])}
      </Text>
    </Links>
  );
}

const Links = createContext(false);
/** What may be opened: neither scripts nor files. */
const web = /^https?:\/\//i;

/** The part of a text from one place to another, with the entities that begin in it. */
export function nodes(text: string, from: number, to: number, entities: readonly Entity[]): ReactNode[] {
  const out: ReactNode[] = [];
  const open = entities.filter((e) => e.length > 0).sort((a, b) => a.offset - b.offset || b.length - a.length);
  let at = from;
  while (open.length > 0) {
    const e = open.shift()!;
    if (e.offset < at || e.offset >= to) continue;
    const end = Math.min(to, e.offset + e.length);
    const inner = open.filter((x) => x.offset < end);
    open.splice(0, inner.length);
    // What begins in it and ends behind it goes on there: nothing in a page may overlap.
    const rest = inner.filter((x) => x.offset + x.length > end).map((x) => ({ ...x, offset: end, length: x.offset + x.length - end }));
    open.unshift(...rest);
    if (e.offset > at) out.push(<Fragment key={`t${at}`}>{text.slice(at, e.offset)}</Fragment>);
    out.push(
      <Styled key={`e${e.offset}.${e.type}`} entity={e}>
        {nodes(text, e.offset, end, inner)}
      </Styled>,
    );
    at = end;
  }
  if (at < to) out.push(<Fragment key={`t${at}`}>{text.slice(at, to)}</Fragment>);
  return out;
}

function Styled({ entity: e, children }: { entity: Entity; children: ReactNode }) {
  switch (e.type) {
    case 'bold':
      return <strong>{children}</strong>;
    case 'italic':
      return <em>{children}</em>;
    case 'underline':
      return <u>{children}</u>;
    case 'strikethrough':
      return <s>{children}</s>;
    case 'spoiler':
      return (
        <span tabIndex={0} style={{ background: 'var(--mantine-color-default-border)', borderRadius: 3 }}>
          {children}
        </span>
      );
    case 'code':
      return <Code>{children}</Code>;
    case 'pre':
      return <Code block>{children}</Code>;
    case 'blockquote':
      return (
        <Blockquote p="xs" my={4} fz="sm">
          {children}
        </Blockquote>
      );
    case 'text_url':
      return <Linked url={e.url ?? ''}>{children}</Linked>;
  }
  return children;
}

function Linked({ url, children }: { url: string; children: ReactNode }) {
  const links = useContext(Links);
  if (links && web.test(url))
    return (
      <a href={url} title={url} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  return (
    <span title={url} style={{ color: 'var(--mantine-color-anchor)', textDecoration: 'underline' }}>
      {children}
    </span>
  );
}
