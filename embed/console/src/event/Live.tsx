import { patterns, useTypeWord, VirtualRows } from '@kit';
import { Badge, Button, Group, Paper, TagsInput, TextInput } from '@mantine/core';
import { Empty, Page, Status, useFormat, useStreamState } from '@shell';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Detail } from './Detail';
import { type Envelope, matches } from './kinds';
import classes from './Live.module.css';
import { EventSections } from './sections';
import { kept, useTail } from './tail';

const states = { live: 'ONLINE', waiting: 'CONNECTING', lost: 'FAILED' } as const;

/** Events as they happen. */
export default function Live() {
  const { t } = useTranslation('event');
  const state = useStreamState();
  const [paused, setPaused] = useState(false);
  const [types, setTypes] = useState<string[]>([]);
  const [resource, setResource] = useState('');
  const [open, setOpen] = useState<Envelope>();
  const { events: newest, missed, clear } = useTail(paused);
  const events = useDeferredValue(newest); // a hundred new rows are drawn in pieces
  const shown = useMemo(() => events.filter((e) => matches(e, types, resource.trim())), [events, types, resource]);
  const word = useTypeWord();
  const { time } = useFormat();
  const row = (e: Envelope) => <Row event={e} word={word} time={time} onOpen={setOpen} />;
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Page
      title={t('live.title')}
      lead={t('live.lead', { count: kept })}
      badge={<Status state={paused ? 'PAUSED' : states[state]} label={t(paused ? 'live.paused' : `live.${state}`)} />}
      actions={
        <>
          <Button variant={paused ? 'filled' : 'default'} leftSection={<Icon size={16} aria-hidden />} onClick={() => setPaused(!paused)}>
            {t(paused ? 'live.resume' : 'live.pause')}
            {paused && missed > 0 && (
              <Badge ml={6} variant="white" color="dark">
                {missed}
              </Badge>
            )}
          </Button>
          <Button variant="default" onClick={clear} disabled={events.length === 0}>
            {t('live.clear')}
          </Button>
        </>
      }
    >
      <EventSections />
      <Group gap="xs" mb="sm" role="search" aria-label={t('live.filter')}>
        <TagsInput
          w={{ base: '100%', xs: 260 }}
          placeholder={types.length ? undefined : t('column.type')}
          aria-label={t('column.type')}
          data={[...patterns]}
          value={types}
          onChange={setTypes}
        />
        <TextInput
          w={{ base: '100%', xs: 220 }}
          placeholder={t('filter.resource')}
          aria-label={t('filter.resource')}
          value={resource}
          onChange={(e) => setResource(e.currentTarget.value)}
        />
      </Group>
      <Paper p={0}>
        {shown.length === 0 && <Empty title={t(events.length > 0 ? 'live.none' : 'live.empty')} text={t('live.emptyText')} />}
        {shown.length > 0 && (
          <VirtualRows rows={shown} id={idOf} estimate={48} height="max(320px, calc(100dvh - 320px))" role="log" label={t('live.title')}>
            {row}
          </VirtualRows>
        )}
      </Paper>
      {open && <Detail event={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

const idOf = (e: Envelope) => e.id;

interface RowProps {
  event: Envelope;
  word: (type: string) => string;
  time: (at: string) => string;
  onOpen: (e: Envelope) => void;
}

/** An event, of plain elements: a hundred of them may come every second. */
const Row = memo(function Row({ event: e, word, time, onOpen }: RowProps) {
  return (
    <div className={classes.row} data-event={e.type}>
      <time className={classes.time} dateTime={e.timestamp}>
        {time(e.timestamp)}
      </time>
      <button type="button" className={`mantine-focus-auto ${classes.open}`} onClick={() => onOpen(e)}>
        <b>{word(e.type)}</b> <code>{e.type}</code>
        <span>{JSON.stringify(e.data)}</span>
      </button>
    </div>
  );
});
