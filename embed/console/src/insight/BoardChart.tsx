import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useFormat } from '@shell';
import { useFigure } from './figure';
import type { Metric, Series } from './types';

/** A metric of a board, day by day. Loaded with the first board. */
export default function BoardChart({ board: b, metric: m }: { board: { series: Series }; metric: Metric }) {
  const f = useFormat();
  const figure = useFigure();
  const data = b.series.map((d) => ({ day: f.day(`${d.date}T00:00:00Z`, 'UTC'), value: d.values?.[m.key] ?? null }));
  return (
    <LineChart
      h={220}
      data={data}
      dataKey="day"
      connectNulls
      tickLine="none"
      gridAxis="x"
      yAxisProps={{ width: 60, allowDecimals: m.unit !== 'COUNT', domain: m.unit === 'SHARE' ? [0, 1] : [0, m.max ?? 'auto'] }}
      valueFormatter={(n) => figure(n, m.unit)}
      series={[{ name: 'value', label: m.label, color: 'sea.6' }]}
    />
  );
}
