import { Button, Text } from '@mantine/core';
import { VirtualRows } from '@kit';
import { asApiError, dayOf, showProblem, useFormat } from '@shell';
import { IconArrowUp } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';
import { MessageRow, OutgoingRow } from './MessageRow';
import { readOlder } from './opened';
import { useOutgoing } from './outbox';
import { type Row, rowsOf } from './rows';
import type { Message, Opened } from './types';

const rowHeight = 64;
const idOf = (r: Row): string => r.id;

interface Props {
  of: Opened;
  /** The message before which what nobody has read begins. */
  unread: string | undefined;
  onQuote?: (m: Message) => void;
}

/** What was said, the newest at the end. Only what is in sight is drawn; older pages come when they are near. */
export function Messages({ of: o, unread, onQuote }: Props) {
  const { t } = useTranslation('inbox');
  const sending = useOutgoing(o.id);
  const rows = useMemo(() => rowsOf(o.messages, sending, unread), [o.messages, sending, unread]);
  const [show, setShow] = useState(unread === undefined ? undefined : 'unread');
  const onStart = useOlder(o);
  const seen = useRef(false);
  const newest = sending.at(-1)?.clientId;
  useEffect(() => {
    if (newest) setShow(newest); // who answers sees the answer
  }, [newest]);
  const jump = unread !== undefined && show === undefined;
  const toUnread = () => setShow('unread');
  const release = useCallback(() => {
    if (seen.current) setShow(undefined); // who scrolls decides from then on
    seen.current = true;
  }, []);
  const toQuoted = useCallback(
    (id: string) => {
      const row = o.messages.find((m) => m.id === id);
      if (row) setShow(row.client_id ?? row.id);
    },
    [o.messages],
  );
  if (o.messages.length === 0 && sending.length === 0)
    return (
      <div className={classes.nothing}>
        <Text c="dimmed" size="sm">
          {t('noMessages')}
        </Text>
      </div>
    );
  return (
    <div className={classes.messages} onWheel={release} onTouchMove={release}>
      <VirtualRows
        rows={rows}
        id={idOf}
        estimate={rowHeight}
        height="100%"
        label={t('messages')}
        role="log"
        from="end"
        show={show}
        onStart={onStart}
        className={classes.scroll}
      >
        {(row) => <One row={row} conversation={o.id} onQuote={onQuote} onQuoted={toQuoted} />}
      </VirtualRows>
      {jump && (
        <Button
          className={classes.jump}
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowUp size={15} aria-hidden />}
          onClick={toUnread}
        >
          {t('toUnread')}
        </Button>
      )}
    </div>
  );
}

/** Asks for older messages once at a time. */
function useOlder(o: Opened): () => void {
  const asking = useRef(false);
  const { id, has_older: more } = o;
  return useCallback(() => {
    if (!more || asking.current) return;
    asking.current = true;
    readOlder(id)
      .catch((thrown: unknown) => showProblem(asApiError(thrown)))
      .finally(() => {
        asking.current = false;
      });
  }, [id, more]);
}

interface OneProps {
  row: Row;
  conversation: string;
  onQuote?: (m: Message) => void;
  onQuoted: (id: string) => void;
}

function One({ row, conversation, onQuote, onQuoted }: OneProps) {
  const { t } = useTranslation('inbox');
  switch (row.kind) {
    case 'day':
      return <Day at={row.at} />;
    case 'unread':
      return (
        <div className={classes.unread} role="separator">
          {t('newMessages')}
        </div>
      );
    case 'message':
      return <MessageRow of={row.message} conversation={conversation} onQuote={onQuote} onQuoted={onQuoted} />;
    case 'outgoing':
      return <OutgoingRow of={row.outgoing} />;
  }
}

const dayLength = 86_400_000;

/** A day of the organization's calendar. */
function Day({ at }: { at: string }) {
  const { t } = useTranslation('inbox');
  const f = useFormat();
  const day = dayOf(at);
  const words = day === dayOf(Date.now()) ? t('today') : day === dayOf(Date.now() - dayLength) ? t('yesterday') : f.date(at);
  return (
    <div className={classes.day} role="separator">
      {words}
    </div>
  );
}
