import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Table } from '@mantine/core';
import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { everyDay, type Use } from './days';

/** The one colour that a product of the map has. */
const colors: Readonly<Record<string, string>> = {
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

/** Requests to the map by day, a bar a day with a part for each product; the sums as a table. */
export default function RequestsChart({ use: u }: { use: Use }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  const word = (product: string) => t(`requests.product.${product}` as 'requests.product.other');
  const used = u.products.filter((p) => p.requests + p.denied > 0);
  const products = used.filter((p) => p.requests > 0).map((p) => p.product);
  const data = everyDay(u, products).map((d) => ({ ...d, day: f.day(`${d.day}T00:00:00Z`, 'UTC') }));
  return (
    <figure style={{ margin: 0 }} aria-label={t('requests.title')}>
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
        series={products.map((p) => ({ name: p, label: word(p), color: colors[p] ?? 'gray.6' }))}
      />
      <Table aria-label={t('requests.title')} mt="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('requests.kind')}</Table.Th>
            <Table.Th ta="right">{t('requests.answered')}</Table.Th>
            <Table.Th ta="right">{t('requests.refused')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {used.map((p) => (
            <Table.Tr key={p.product}>
              <Table.Td>{word(p.product)}</Table.Td>
              <Table.Td ta="right">{f.number(p.requests)}</Table.Td>
              <Table.Td ta="right">{f.number(p.denied)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </figure>
  );
}
