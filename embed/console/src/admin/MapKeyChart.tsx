import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Table } from '@mantine/core';
import { type Schema, useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { everyDay } from './mapKeyDays';

const colors: Record<string, string> = {
  tiles: 'sea.6',
  search: 'blue.6',
  geocoding: 'grape.6',
  places: 'yellow.6',
  routing: 'orange.6',
  matrix: 'red.6',
  isochrone: 'pink.6',
  other: 'gray.5',
};

/** Requests by day, a bar a day with a part for each product; the sums as a table. */
export default function MapKeyChart({ usage: u }: { usage: Schema<'ManagedUsage'> }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const products = u.products.map((p) => p.product);
  const data = everyDay(u, products).map((d) => ({ ...d, day: f.day(`${d.day}T00:00:00Z`, 'UTC') }));
  return (
    <figure style={{ margin: 0 }} aria-label={t('mapKeys.chart')}>
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
        series={products.map((p) => ({ name: p, label: t(`mapKeys.product.${p}`), color: colors[p] ?? 'gray.6' }))}
      />
      <Table aria-label={t('mapKeys.chart')} mt="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('mapKeys.operation')}</Table.Th>
            <Table.Th ta="right">{t('mapKeys.answered')}</Table.Th>
            <Table.Th ta="right">{t('mapKeys.refused')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {u.products.map((p) => (
            <Table.Tr key={p.product}>
              <Table.Td>{t(`mapKeys.product.${p.product}`)}</Table.Td>
              <Table.Td ta="right">{f.number(p.requests)}</Table.Td>
              <Table.Td ta="right">{f.number(p.denied)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </figure>
  );
}
