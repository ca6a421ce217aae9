import { Group, Paper, Select, Skeleton, Table, Text, Title } from '@mantine/core';
import { dayOf, Empty, Failed, Num, useFormat, useGet } from '@shell';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBudgets } from './budget';
import { Money } from './parts';
import { type Costs, groupings } from './types';

const UsageChart = lazy(() => import('./UsageChart'));
const spans = ['7', '30', '90', '365'] as const;
type Grouping = (typeof groupings)[number];

/** What was spent, by what it was spent on; by day as a chart that shows what is left of the month's budget. */
export function CostTable() {
  const { t } = useTranslation('engine');
  const [by, setBy] = useState<Grouping>('day');
  const [span, setSpan] = useState<(typeof spans)[number]>('30');
  const today = dayOf(Date.now(), 'UTC');
  const from = dayOf(Date.parse(today) - (Number(span) - 1) * 86_400_000, 'UTC');
  const { data, error, refetch } = useGet('/ai/costs', { query: { from: `${from}T00:00:00Z`, group_by: by } }, { keep: true });
  return (
    <Paper component="section" aria-label={t('costs.title')}>
      <Group justify="space-between" mb="sm" align="flex-end">
        <div>
          <Title order={2}>{t('costs.title')}</Title>
          {data && (
            <Text size="sm" c="dimmed">
              <Money usd={data.total_usd} /> · {t('costs.executions', { count: data.executions })}
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Select
            size="sm"
            w={150}
            aria-label={t('costs.by')}
            allowDeselect={false}
            data={groupings.map((value) => ({ value, label: t(`group.${value}`) }))}
            value={by}
            onChange={(v) => setBy(v as Grouping)}
          />
          <Select
            size="sm"
            w={130}
            aria-label={t('costs.span')}
            allowDeselect={false}
            data={spans.map((value) => ({ value, label: t('costs.days', { count: Number(value) }) }))}
            value={span}
            onChange={(v) => setSpan(v as (typeof spans)[number])}
          />
        </Group>
      </Group>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={200} />}
      {data && data.executions === 0 && <Empty title={t('costs.empty')} text={t('costs.emptyText')} />}
      {data && data.executions > 0 && data.group_by === 'day' && <Chart costs={data} from={from} to={today} />}
      {data && data.executions > 0 && <Groups costs={data} />}
    </Paper>
  );
}

/** The limit of all agents in a month, the lowest. */
function useMonthLimit(): number | undefined {
  const { data } = useBudgets();
  const limits = (data?.data ?? []).filter((b) => b.period === 'MONTH' && b.agent === null).map((b) => b.limit_usd);
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

function Chart({ costs, from, to }: { costs: Costs; from: string; to: string }) {
  const limit = useMonthLimit();
  return (
    <Suspense fallback={<Skeleton h={260} />}>
      <UsageChart rows={costs.data ?? []} from={from} to={to} limit={limit} />
    </Suspense>
  );
}

function Groups({ costs: c }: { costs: Costs }) {
  const { t } = useTranslation('engine');
  const f = useFormat();
  const rows = [...(c.data ?? [])];
  rows.sort((a, b) => (c.group_by === 'day' ? b.key.localeCompare(a.key) : b.cost_usd - a.cost_usd));
  const nameOf = (r: (typeof rows)[number]) => {
    if (c.group_by === 'day') return f.date(`${r.key}T12:00:00Z`);
    if (c.group_by === 'agent' || c.group_by === 'mode') return t(`${c.group_by}.${r.key}` as 'agent.SELLER');
    return r.label ?? r.key;
  };
  return (
    <Table.ScrollContainer minWidth={420} mt="md" scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('costs.title') } }}>
      <Table aria-label={t('costs.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(`group.${c.group_by as Grouping}`)}</Table.Th>
            <Table.Th ta="right">{t('sections.executions')}</Table.Th>
            <Table.Th ta="right">{t('column.tokens')}</Table.Th>
            <Table.Th ta="right">{t('column.cost')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((r) => (
            <Table.Tr key={r.key}>
              <Table.Td>{nameOf(r)}</Table.Td>
              <Table.Td ta="right">
                <Num value={r.executions} />
              </Table.Td>
              <Table.Td ta="right">
                <Num value={r.tokens_in + r.tokens_out} />
              </Table.Td>
              <Table.Td ta="right">
                <Money usd={r.cost_usd} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
