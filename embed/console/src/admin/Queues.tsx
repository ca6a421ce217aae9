import { Anchor, Badge, Group, Paper, Skeleton, Table } from '@mantine/core';
import { Failed, late, Link, Num, Page, type Schema, useFormat, useGet } from '@shell';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { taskStates } from './choices';
import { administrators } from './Guard';
import { listHead, spanText } from './parts';

const Backlog = late(() => import('./charts').then((m) => ({ default: m.Backlog })));

function Queues() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useGet('/admin/queues', {});
  return (
    <Page title={t('queues.title')} lead={t('queues.lead')}>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} />}
      {data && (
        <>
          <Paper mb="md">
            <Suspense fallback={<Skeleton h={320} />}>
              <Backlog queues={data.data} />
            </Suspense>
          </Paper>
          <Paper p={0} style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={t('queues.title')}>
            <Numbers queues={data.data} />
          </Paper>
        </>
      )}
    </Page>
  );
}

function Numbers({ queues }: { queues: readonly Schema<'AdminQueue'>[] }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  return (
    <Table aria-label={t('queues.title')} miw={900} styles={listHead}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('column.queue')}</Table.Th>
          {taskStates.map((s) => (
            <Table.Th key={s} ta="right">
              {t(`tasks.${s}`)}
            </Table.Th>
          ))}
          <Table.Th ta="right">{t('queues.processed')}</Table.Th>
          <Table.Th ta="right">{t('queues.failed')}</Table.Th>
          <Table.Th ta="right">{t('queues.oldest')}</Table.Th>
          <Table.Th ta="right">{t('queues.latency')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {queues.map((q) => (
          <Table.Tr key={q.name}>
            <Table.Td>
              <Group gap={6}>
                <Anchor component={Link} to={`/admin/queues/${q.name}`} size="sm" fw={550} c="inherit">
                  {t(`queue.${q.name}`)}
                </Anchor>
                {q.paused && (
                  <Badge color="yellow" c="var(--mantine-color-text)">
                    {t('queues.paused')}
                  </Badge>
                )}
              </Group>
            </Table.Td>
            {taskStates.map((s) => (
              <Table.Td key={s} ta="right">
                <Num value={q[s]} />
              </Table.Td>
            ))}
            <Table.Td ta="right">
              <Num value={q.processed_24h} />
            </Table.Td>
            <Table.Td ta="right">
              <Num value={q.failed_24h} />
            </Table.Td>
            <Table.Td ta="right">{q.oldest_pending_seconds > 0 ? spanText(q.oldest_pending_seconds, f) : '–'}</Table.Td>
            <Table.Td ta="right">{q.latency_p95_ms > 0 ? t('ms', { n: f.number(q.latency_p95_ms) }) : '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export default administrators(Queues);
