import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { Empty, Failed, type Schema, useFormat, useGet, useListState } from '@shell';
import { memo, useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Breakdown } from './Breakdown';
import { filled, type Period, periods, spanOf, usual } from './periods';

type Row = Schema<'OverviewRow'>;
const counters = ['delivered', 'unreachable', 'failed', 'skipped'] as const;
const colors = { delivered: 'teal.7', unreachable: 'orange.6', failed: 'red.7', skipped: 'gray.5' };
const outcomes = ['delivered', 'read', 'replied', 'opted_out', 'failed', 'unreachable', 'skipped'] as const;
const names = ['period', 'by'];

/** How messages went over time, with the period in the address. */
export default function Analytics({ today }: { today: string }) {
  const { t } = useTranslation('overview');
  const f = useFormat();
  const state = useListState(names);
  const chosen = [state.filters.period ?? []].flat()[0];
  const period: Period = periods.find((p) => p === chosen) ?? usual;
  const span = useMemo(() => spanOf(period, today), [period, today]);
  const { data, error, refetch } = useGet('/analytics/messages', { query: { ...span, group_by: 'day' } }, { keep: true });
  const rows = useMemo(() => filled(data?.series ?? [], span, blank), [data, span]);
  const drawn = useDeferredValue(rows);
  const total = data?.totals;
  const any = total !== undefined && outcomes.some((o) => total[o] > 0);
  return (
    <Paper component="section" aria-label={t('analytics.title')}>
      <Group justify="space-between" mb="md">
        <Title order={2}>{t('analytics.title')}</Title>
        <SegmentedControl
          size="xs"
          aria-label={t('analytics.period')}
          value={period}
          onChange={(p) => state.set({ period: p === usual ? undefined : p })}
          data={periods.map((p) => ({ value: p, label: t(`analytics.last.${p}`) }))}
        />
      </Group>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={260} />}
      {total && !any && <Empty title={t('analytics.none')} text={t('analytics.noneText')} />}
      {total && any && (
        <>
          <SimpleGrid cols={{ base: 2, xs: 3, md: 7 }} mb="md" spacing="xs">
            {outcomes.map((o) => (
              <div key={o}>
                <Text size="xs" c="dimmed">
                  {t(`analytics.${o}`)}
                </Text>
                <Text fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {f.number(total[o])}
                  {(o === 'read' || o === 'replied' || o === 'opted_out') && total.delivered > 0 && (
                    <Text span size="xs" c="dimmed" fw={400}>
                      {' '}
                      {f.percent(total[o] / total.delivered)}
                    </Text>
                  )}
                </Text>
              </div>
            ))}
          </SimpleGrid>
          <Chart rows={drawn} />
          <Breakdown span={span} by={[state.filters.by ?? []].flat()[0]} onBy={(by) => state.set({ by })} />
        </>
      )}
    </Paper>
  );
}

/** Days as bars; what changes around them does not draw them anew. */
const Chart = memo(function Chart({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('overview');
  const f = useFormat();
  return (
    <figure style={{ margin: 0 }} aria-label={t('analytics.chart')}>
      <BarChart
        h={240}
        type="stacked"
        data={rows as unknown as Record<string, unknown>[]}
        dataKey="key"
        withLegend
        tickLine="none"
        gridAxis="x"
        yAxisProps={{ allowDecimals: false }}
        maxBarWidth={36}
        barProps={{ isAnimationActive: false }}
        series={counters.map((name) => ({ name, label: t(`analytics.${name}`), color: colors[name] }))}
        valueFormatter={f.number}
        xAxisProps={{ tickFormatter: (key: string) => (isDay(key) ? f.day(key, 'UTC') : ''), minTickGap: 24 }}
        tooltipProps={{ labelFormatter: (key) => (isDay(key) ? f.date(`${key}T12:00:00Z`) : '') }}
      />
    </figure>
  );
});

const blank = (key: string): Row => ({
  key,
  label: null,
  delivered: 0,
  failed: 0,
  unreachable: 0,
  skipped: 0,
  read: 0,
  replied: 0,
  opted_out: 0,
});

/** The chart asks for the label of no day, too, before the mouse is over one. */
const isDay = (key: unknown): key is string => typeof key === 'string' && /^\d{4}-\d\d-\d\d$/.test(key);
