import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { type Answer, useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { everyDay } from './limits';

type Row = Answer<'/analytics/messages', 'get'>['series'][number];

/** Messages by day. Loaded with the first chart. */
export default function UsageChart({ days, from, to }: { days: readonly Row[]; from: string; to: string }) {
  const { t } = useTranslation('org');
  const f = useFormat();
  const data = everyDay(days, from, to).map(({ day, row }) => ({
    day: f.day(day, 'UTC'),
    delivered: row?.delivered ?? 0,
    failed: (row?.failed ?? 0) + (row?.unreachable ?? 0),
    skipped: row?.skipped ?? 0,
  }));
  return (
    <BarChart
      h={240}
      data={data}
      dataKey="day"
      type="stacked"
      withLegend
      valueFormatter={f.number}
      tickLine="none"
      gridAxis="y"
      series={[
        { name: 'delivered', label: t('usage.delivered'), color: 'sea.5' },
        { name: 'failed', label: t('usage.failed'), color: 'red.6' },
        { name: 'skipped', label: t('usage.skipped'), color: 'gray.5' },
      ]}
    />
  );
}
