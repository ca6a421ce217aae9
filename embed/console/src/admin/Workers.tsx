import { Group, Paper, Progress, Skeleton, Table, Text } from '@mantine/core';
import { Empty, Failed, Num, Page, type Schema, useFormat, useGet, When } from '@shell';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { listHead, State } from './parts';

function Workers() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useGet('/admin/workers', {});
  return (
    <Page title={t('worker.title')} lead={t('worker.lead')}>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} />}
      {data?.data.length === 0 && (
        <Paper p={0}>
          <Empty title={t('worker.empty')} text={t('worker.emptyText')} />
        </Paper>
      )}
      {data && data.data.length > 0 && (
        <Paper p={0} style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={t('worker.title')}>
          <Rows workers={data.data} />
        </Paper>
      )}
    </Page>
  );
}

function Rows({ workers }: { workers: readonly Schema<'AdminWorker'>[] }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  return (
    <Table aria-label={t('worker.title')} miw={900} styles={listHead}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('worker.kind')}</Table.Th>
          <Table.Th>{t('column.status')}</Table.Th>
          <Table.Th>{t('worker.load')}</Table.Th>
          <Table.Th ta="right">{t('queues.processed')}</Table.Th>
          <Table.Th ta="right">{t('queues.failed')}</Table.Th>
          <Table.Th ta="right">{t('worker.accounts')}</Table.Th>
          <Table.Th>{t('worker.heartbeat')}</Table.Th>
          <Table.Th>{t('worker.started')}</Table.Th>
          <Table.Th>{t('worker.host')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {workers.map((w) => (
          <Table.Tr key={w.id}>
            <Table.Td fw={550}>{t(`worker.kinds.${w.kind}`)}</Table.Td>
            <Table.Td>
              <State kind="worker" state={w.status} />
            </Table.Td>
            <Table.Td miw={140}>
              <Group gap={8} wrap="nowrap">
                <Progress
                  flex={1}
                  value={w.capacity > 0 ? (w.busy / w.capacity) * 100 : 0}
                  aria-label={t('worker.loadOf', { name: t(`worker.kinds.${w.kind}`) })}
                />
                <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
                  {f.number(w.busy)} / {f.number(w.capacity)}
                </Text>
              </Group>
            </Table.Td>
            <Table.Td ta="right">
              <Num value={w.processed} />
            </Table.Td>
            <Table.Td ta="right">
              <Num value={w.failed} />
            </Table.Td>
            <Table.Td ta="right">{w.accounts === null ? '–' : <Num value={w.accounts} />}</Table.Td>
            <Table.Td>
              <When at={w.heartbeat_at} />
            </Table.Td>
            <Table.Td>
              <When at={w.started_at} />
            </Table.Td>
            <Table.Td>
              {w.host}
              <Text size="xs" c="dimmed">
                {w.version}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export default administrators(Workers);
