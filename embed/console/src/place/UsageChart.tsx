import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Table, VisuallyHidden } from '@mantine/core';
import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { byDay } from './usage';
import type { Usage } from './types';

const colors: Record<string, string> = {
  tiles: 'sea.6',
  search: 'blue.6',
  geocoding: 'grape.6',
  places: 'yellow.6',
  routing: 'orange.6',
  matrix: 'red.6',
  isochrone: 'pink.6',
  static: 'gray.6',
  other: 'gray.5',
};

/** What a key asked for, by day and by operation. */
export default function UsageChart({ usage: u }: { usage: Usage }) {
  const { t } = useTranslation('place');
  const f = useFormat();
  const products = u.products.filter((p) => p.requests > 0).map((p) => p.product);
  const data = byDay(u, products).map((d) => ({ ...d, day: f.day(`${d.day}T00:00:00Z`, 'UTC') }));
  return (
    <figure style={{ margin: 0 }} aria-label={t('keys.chart')}>
      <BarChart
        h={300}
        data={data}
        dataKey="day"
        type="stacked"
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        yAxisProps={{ allowDecimals: false, width: 60 }}
        valueFormatter={(n) => f.number(n)}
        maxBarWidth={36}
        series={products.map((p) => ({ name: p, label: t(`product.${p}`), color: colors[p] ?? 'gray.6' }))}
      />
      <VisuallyHidden>
        <Table aria-label={t('keys.chart')}>
          <Table.Tbody>
            {u.products.map((p) => (
              <Table.Tr key={p.product}>
                <Table.Th>{t(`product.${p.product}`)}</Table.Th>
                <Table.Td>{f.number(p.requests)}</Table.Td>
                <Table.Td>{f.number(p.denied)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </figure>
  );
}
