import { Badge, Button, Code, Group, Paper, Table, TagsInput, Text, TextInput, UnstyledButton } from '@mantine/core';
import { Empty, Page, Status, useStreamState, When } from '@shell';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Detail } from './Detail';
import { type Envelope, matches, patterns } from './kinds';
import { EventSections } from './sections';
import { kept, useTail } from './tail';
import { useTypeWord } from './words';

const states = { live: 'ONLINE', waiting: 'CONNECTING', lost: 'FAILED' } as const;

/** Events as they happen. */
export default function Live() {
  const { t } = useTranslation('event');
  const state = useStreamState();
  const [paused, setPaused] = useState(false);
  const [types, setTypes] = useState<string[]>([]);
  const [resource, setResource] = useState('');
  const [open, setOpen] = useState<Envelope>();
  const { events, missed, clear } = useTail(paused);
  const shown = events.filter((e) => matches(e, types, resource.trim()));
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Page title={t('live.title')} lead={t('live.lead', { count: kept })} badge={<Status state={paused ? 'PAUSED' : states[state]} label={t(paused ? 'live.paused' : `live.${state}`)} />}
      actions={<>
        <Button variant={paused ? 'filled' : 'default'} leftSection={<Icon size={16} aria-hidden />} onClick={() => setPaused(!paused)}>
          {t(paused ? 'live.resume' : 'live.pause')}{paused && missed > 0 && <Badge ml={6} variant="white" color="dark">{missed}</Badge>}
        </Button>
        <Button variant="default" onClick={clear} disabled={events.length === 0}>{t('live.clear')}</Button>
      </>}>
      <EventSections />
      <Group gap="xs" mb="sm" role="search" aria-label={t('live.filter')}>
        <TagsInput w={{ base: '100%', xs: 260 }} placeholder={types.length ? undefined : t('column.type')} aria-label={t('column.type')} data={[...patterns]} value={types} onChange={setTypes} />
        <TextInput w={{ base: '100%', xs: 220 }} placeholder={t('filter.resource')} aria-label={t('filter.resource')} value={resource} onChange={(e) => setResource(e.currentTarget.value)} />
      </Group>
      <Paper p={0} role="log" aria-live="off" aria-label={t('live.title')}>
        {shown.length === 0 && <Empty title={t(events.length > 0 ? 'live.none' : 'live.empty')} text={t('live.emptyText')} />}
        {shown.length > 0 && <Table aria-label={t('live.title')} verticalSpacing={5}><Table.Tbody>{shown.map((e) => <Row key={e.id} event={e} onOpen={setOpen} />)}</Table.Tbody></Table>}
      </Paper>
      {open && <Detail event={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function Row({ event: e, onOpen }: { event: Envelope; onOpen: (e: Envelope) => void }) {
  const word = useTypeWord();
  return (
    <Table.Tr data-event={e.type}>
      <Table.Td w={150} visibleFrom="xs"><Text size="sm" c="dimmed"><When at={e.timestamp} exact /></Text></Table.Td>
      <Table.Td>
        <UnstyledButton onClick={() => onOpen(e)} w="100%">
          <Text span size="sm" fw={550}>{word(e.type)}</Text> <Code fz="xs">{e.type}</Code>
          <Text size="xs" c="dimmed" ff="monospace" truncate maw={{ base: 260, xs: 420, md: 760 }}>{JSON.stringify(e.data)}</Text>
        </UnstyledButton>
      </Table.Td>
    </Table.Tr>
  );
}
