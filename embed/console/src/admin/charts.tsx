// What is better seen than read. Loaded with the first page that draws.
import '@mantine/charts/styles.css';
import { BarChart, DonutChart } from '@mantine/charts';
import { Anchor, ColorSwatch, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { type Href, Link, Num, type Schema, useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { colorOf } from '@shell/page/states';

type Queue = Schema<'AdminQueue'>;

const waits = [
  ['pending', 'blue.6'],
  ['active', 'teal.6'],
  ['scheduled', 'gray.5'],
  ['retry', 'yellow.6'],
  ['archived', 'red.6'],
] as const;
const rowHeight = 30;

/** What waits and runs in each queue, as bars; the same as a table for who does not see them. */
export function Backlog({ queues }: { queues: readonly Queue[] }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const data = queues.map((q) => ({ ...q, queue: t(`queue.${q.name}`) }));
  return (
    <figure style={{ margin: 0 }} aria-label={t('overview.backlog')}>
      <BarChart
        h={queues.length * rowHeight + 70}
        data={data}
        dataKey="queue"
        type="stacked"
        orientation="vertical"
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        gridAxis="y"
        yAxisProps={{ width: 110 }}
        xAxisProps={{ allowDecimals: false }}
        valueFormatter={(n) => f.number(n)}
        maxBarWidth={18}
        series={waits.map(([name, color]) => ({ name, color, label: t(`tasks.${name}`) }))}
      />
      <VisuallyHidden>
        <Table aria-label={t('overview.backlog')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('column.queue')}</Table.Th>
              {waits.map(([name]) => (
                <Table.Th key={name}>{t(`tasks.${name}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {queues.map((q) => (
              <Table.Tr key={q.name}>
                <Table.Td>{t(`queue.${q.name}`)}</Table.Td>
                {waits.map(([name]) => (
                  <Table.Td key={name}>{f.number(q[name])}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </figure>
  );
}

interface Share {
  state: string;
  name: string;
  value: number;
}

/** How many are in which state; the words lead to the list of them. */
export function Shares({ label, parts, to }: { label: string; parts: readonly Share[]; to: Href }) {
  const colored = parts.map((p) => ({ ...p, color: `${colorOf(p.state)}.6` }));
  return (
    <Group gap="xl" component="figure" m={0} aria-label={label}>
      <DonutChart
        data={colored}
        size={140}
        thickness={22}
        withTooltip
        aria-hidden
        pieProps={{ rootTabIndex: -1 }}
        pieChartProps={{ accessibilityLayer: false }}
      />
      <Stack gap={4}>
        {colored.map((p) => (
          <Group key={p.state} gap={8} wrap="nowrap">
            <ColorSwatch size={12} color={`var(--mantine-color-${p.color.replace('.', '-')})`} withShadow={false} aria-hidden />
            <Anchor component={Link} to={to} search={{ status: p.state } as never} size="sm">
              {p.name}
            </Anchor>
            <Text size="sm" fw={600}>
              <Num value={p.value} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Group>
  );
}

/** Messages of the organizations that sent most. */
export function Sent({ rows, label }: { rows: readonly { name: string; messages_sent: number }[]; label: string }) {
  const f = useFormat();
  return (
    <figure style={{ margin: 0 }} aria-label={label}>
      <BarChart
        h={rows.length * rowHeight + 40}
        data={[...rows]}
        dataKey="name"
        orientation="vertical"
        gridAxis="y"
        yAxisProps={{ width: 140 }}
        xAxisProps={{ allowDecimals: false }}
        maxBarWidth={18}
        valueFormatter={(n) => f.number(n)}
        series={[{ name: 'messages_sent', color: 'sea.6', label }]}
      />
    </figure>
  );
}
