import { Anchor, Code, Text } from '@mantine/core';
import { patterns, useTypeWord } from '@kit';
import { type Column, type Filter, List, Page, type Schema, Status, Thing, When } from '@shell';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Detail } from './Detail';
import { aboutOf, type Envelope } from './kinds';
import { EventSections } from './sections';

type Row = Schema<'EventListed'>;
const envelope = (e: Row): Envelope => ({ id: e.id, type: e.type, timestamp: e.timestamp, data: e.data as Record<string, unknown> });

/** Everything that happened, newest first; new events appear by themselves. */
export default function EventLog() {
  const { t } = useTranslation('event');
  const word = useTypeWord();
  const [open, setOpen] = useState<Row>();
  const columns = useMemo<Column<Row>[]>(
    () => [
      {
        key: 'type',
        title: t('column.type'),
        render: (e) => (
          <>
            <Anchor component="button" type="button" data-open c="inherit" fw={550} ta="start" onClick={() => setOpen(e)}>
              {word(e.type)}
            </Anchor>
            <Text size="xs" c="dimmed">
              <Code fz="xs">{e.type}</Code>
            </Text>
          </>
        ),
      },
      { key: 'about', title: t('column.about'), render: (e) => <About event={e} /> },
      { key: 'deliveries', title: t('column.deliveries'), from: 'md', render: (e) => <Deliveries event={e} /> },
      { key: 'at', title: t('column.at'), render: (e) => <When at={e.timestamp} /> },
    ],
    [t, word],
  );
  const filters = useMemo<Filter[]>(
    () => [
      { kind: 'tags', key: 'type', label: t('column.type'), options: patterns },
      { kind: 'text', key: 'resource_id', label: t('filter.resource') },
      { kind: 'days', from: 'from', to: 'to', label: t('column.at') },
    ],
    [t],
  );
  return (
    <Page title={t('title')} lead={t('lead')}>
      <EventSections />
      <List
        path="/events"
        label={t('title')}
        columns={columns}
        filters={filters}
        name={(e) => e.type}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      {open && <Detail event={envelope(open)} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function About({ event: e }: { event: Row }) {
  const ids = aboutOf(e.data).slice(0, 2);
  if (ids.length === 0) return <>–</>;
  return (
    <>
      {ids.map((id, i) => (
        <span key={id}>
          {i > 0 && ' · '}
          <Thing id={id} name={e.names.find((n) => n.id === id)?.name} />
        </span>
      ))}
    </>
  );
}

/** How the webhooks took it. */
function Deliveries({ event: e }: { event: Row }) {
  const { t } = useTranslation('event');
  const d = e.deliveries;
  if (d.succeeded + d.failed + d.pending === 0)
    return (
      <Text span size="sm" c="dimmed">
        {t('delivery.none')}
      </Text>
    );
  if (d.failed > 0) return <Status state="FAILED" label={t('delivery.failed', { count: d.failed })} />;
  if (d.pending > 0) return <Status state="PENDING" label={t('delivery.pending', { count: d.pending })} />;
  return <Status state="DELIVERED" label={t('delivery.succeeded', { count: d.succeeded })} />;
}
