import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Paper, SimpleGrid, Title } from '@mantine/core';
import { useFormat } from '@shell';
import { memo, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import type { Analytics } from './types';

type Day = Analytics['series'][number];
interface Line {
  name: keyof Day;
  label: string;
  color: string;
}

/** Messages, leads, and where people were needed, day by day. Loaded with the first chart. */
export default function Charts({ series }: { series: readonly Day[] }) {
  const { t } = useTranslation('seller');
  const days = useDeferredValue(series);
  return (
    <>
      <Drawn
        title={t('results.messages')}
        days={days}
        lines={[
          { name: 'messages_in', label: t('results.in'), color: 'gray.5' },
          { name: 'messages_out_ai', label: t('results.out_ai'), color: 'teal.7' },
          { name: 'messages_out_human', label: t('results.out_human'), color: 'blue.6' },
        ]}
        stacked
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Drawn
          title={t('results.leadDays')}
          days={days}
          lines={[
            { name: 'leads_opened', label: t('results.leads_opened'), color: 'blue.6' },
            { name: 'leads_won', label: t('results.leads_won'), color: 'teal.7' },
          ]}
        />
        <Drawn
          title={t('results.needed')}
          days={days}
          lines={[
            { name: 'drafts', label: t('results.drafts'), color: 'gray.5' },
            { name: 'handoffs', label: t('results.handoffs'), color: 'orange.6' },
            { name: 'blocked', label: t('results.blocked'), color: 'red.7' },
          ]}
          stacked
        />
      </SimpleGrid>
    </>
  );
}

/** Days as bars; what changes around them does not draw them anew. */
const Drawn = memo(function Drawn(p: { title: string; days: readonly Day[]; lines: readonly Line[]; stacked?: boolean }) {
  const f = useFormat();
  return (
    <Paper component="section">
      <Title order={2} size="h4" mb="md">
        {p.title}
      </Title>
      <figure style={{ margin: 0 }} aria-label={p.title}>
        <BarChart
          h={240}
          type={p.stacked ? 'stacked' : 'default'}
          data={p.days as unknown as Record<string, unknown>[]}
          dataKey="date"
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          tickLine="none"
          gridAxis="x"
          yAxisProps={{ allowDecimals: false, width: 40 }}
          maxBarWidth={36}
          barProps={{ isAnimationActive: false }}
          series={p.lines.map((l) => ({ ...l }))}
          valueFormatter={f.number}
          xAxisProps={{ tickFormatter: (day: string) => (isDay(day) ? f.day(day, 'UTC') : ''), minTickGap: 24 }}
          tooltipProps={{ labelFormatter: (day) => (isDay(day) ? f.date(`${day}T12:00:00Z`) : '') }}
        />
      </figure>
    </Paper>
  );
});

/** The chart asks for the label of no day, too, before the mouse is over one. */
const isDay = (key: unknown): key is string => typeof key === 'string' && /^\d{4}-\d\d-\d\d$/.test(key);
