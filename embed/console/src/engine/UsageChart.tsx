import { CompositeChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { money } from '@kit';
import { burnDown } from './types';

interface Props {
  rows: readonly { key: string; cost_usd: number }[];
  from: string;
  to: string;
  /** The budget of a month; what is left of it is drawn for the days of this month. */
  limit?: number;
}

/** The costs of each day, and what is left of the month's budget. Loaded with the first chart. */
export default function UsageChart({ rows, from, to, limit }: Props) {
  const { t } = useTranslation('engine');
  const f = useFormat();
  const month = to.slice(0, 7);
  const begun = burnDown(rows, `${month}-01`, to);
  const left = new Map(from <= `${month}-01` && limit !== undefined ? begun.map((d) => [d.day, Math.max(0, limit - d.sum)]) : []);
  const data = burnDown(rows, from, to).map((d) => ({ day: f.day(d.day, 'UTC'), cost: d.cost, left: left.get(d.day) ?? null }));
  return (
    <CompositeChart
      h={260}
      data={data}
      dataKey="day"
      withLegend
      legendProps={{ verticalAlign: 'bottom' }}
      tickLine="none"
      gridAxis="x"
      maxBarWidth={28}
      yAxisProps={{ width: 80 }}
      valueFormatter={(n) => money(n, f.locale)}
      series={[
        { name: 'cost', label: t('costs.ofDay'), color: 'sea.6', type: 'bar' },
        ...(left.size > 0 ? [{ name: 'left', label: t('costs.left'), color: 'orange.6', type: 'line' as const }] : []),
      ]}
    />
  );
}
