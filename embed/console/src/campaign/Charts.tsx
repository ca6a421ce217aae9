// What is drawn of a campaign; loaded with the first page that draws.
import '@mantine/charts/styles.css';
import { BarChart, DonutChart } from '@mantine/charts';
import { Group, Text } from '@mantine/core';
import { dayOf, startOfDay, useFormat } from '@shell';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { colors, type Totals } from './model';

interface Hour {
  at: string;
  delivered: number;
  failed: number;
}

/** Bars that fit on a screen: beyond that, hours become days. */
const mostBars = 72;

const hour = 3_600_000;

/** Every hour from the first to the last: one in which nothing happened is a gap, not missing. */
function everyHour(hours: readonly Hour[]): Hour[] {
  const by = new Map(hours.map((h) => [Date.parse(h.at), h]));
  const first = Math.min(...by.keys());
  const last = Math.max(...by.keys());
  const count = Math.round((last - first) / hour) + 1;
  return Array.from(
    { length: count },
    (_, i) => by.get(first + i * hour) ?? { at: new Date(first + i * hour).toISOString(), delivered: 0, failed: 0 },
  );
}

/** Hours, or days when there are too many of them. */
export function barsOf(hours: readonly Hour[]): { at: string; delivered: number; failed: number; days: boolean }[] {
  if (hours.length === 0) return [];
  const span = Math.max(...hours.map((h) => Date.parse(h.at))) - Math.min(...hours.map((h) => Date.parse(h.at)));
  if (span < mostBars * hour) return everyHour(hours).map((h) => ({ ...h, days: false }));
  const byDay = new Map<string, { delivered: number; failed: number }>();
  for (const h of hours) {
    const sum = byDay.get(dayOf(h.at)) ?? { delivered: 0, failed: 0 };
    byDay.set(dayOf(h.at), { delivered: sum.delivered + h.delivered, failed: sum.failed + h.failed });
  }
  return everyDay([...byDay.keys()].sort()).map((day) => ({
    at: startOfDay(day) ?? day,
    ...(byDay.get(day) ?? { delivered: 0, failed: 0 }),
    days: true,
  }));
}

/** From the first of days to the last, those between them too. */
function everyDay(days: readonly string[]): string[] {
  const out = [days[0]!];
  while (out.at(-1)! < days.at(-1)!) out.push(dayOf(Date.parse(out.at(-1)!) + 24 * hour, 'UTC'));
  return out;
}

/** Delivered and failed by the hour. */
export const Hours = memo(function Hours({ hours }: { hours: readonly Hour[] }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const bars = barsOf(hours);
  if (bars.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('chart.nothing')}
      </Text>
    );
  const several = bars.length > 1 && dayOf(bars[0]!.at) !== dayOf(bars.at(-1)!.at);
  const label = (b: (typeof bars)[number]) => (b.days ? f.day(b.at) : several ? `${f.day(b.at)}, ${f.clock(b.at)}` : f.clock(b.at));
  const sum = (k: 'delivered' | 'failed') => f.number(bars.reduce((n, b) => n + b[k], 0));
  return (
    <div role="img" aria-label={t('chart.hours', { delivered: sum('delivered'), failed: sum('failed') })}>
      <BarChart
        h={240}
        type="stacked"
        data={bars.map((b) => ({ at: label(b), delivered: b.delivered, failed: b.failed }))}
        dataKey="at"
        withLegend
        tickLine="none"
        yAxisProps={{ allowDecimals: false }}
        barChartProps={{ accessibilityLayer: false }}
        maxBarWidth={48}
        valueFormatter={(n) => f.number(n)}
        barProps={{ isAnimationActive: false }}
        series={[
          { name: 'delivered', label: t('totals.completed'), color: colors.completed },
          { name: 'failed', label: t('totals.failed'), color: colors.failed },
        ]}
      />
    </div>
  );
});

export const parts = ['completed', 'failed', 'skipped', 'cancelled', 'pending'] as const;

/** How people ended, as a ring with its numbers beside it. */
export const Outcomes = memo(function Outcomes({ totals }: { totals: Totals }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const shown = parts.filter((p) => totals[p] > 0);
  return (
    <Group wrap="nowrap" align="center">
      <div aria-hidden>
        <DonutChart
          size={140}
          thickness={22}
          withTooltip={false}
          pieChartProps={{ accessibilityLayer: false }}
          pieProps={{ isAnimationActive: false, rootTabIndex: -1 }}
          chartLabel={f.number(totals.total)}
          data={shown.map((p) => ({ name: t(`totals.${p}`), value: totals[p], color: colors[p] }))}
        />
      </div>
      <div>
        {shown.map((p) => (
          <Group key={p} gap={8} wrap="nowrap">
            <span
              aria-hidden
              style={{ width: 10, height: 10, borderRadius: 3, background: `var(--mantine-color-${colors[p].replace('.', '-')})` }}
            />
            <Text size="sm">
              {t(`totals.${p}`)}: <b>{f.number(totals[p])}</b>
            </Text>
          </Group>
        ))}
      </div>
    </Group>
  );
});
