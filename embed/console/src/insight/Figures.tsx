import { Paper, SimpleGrid, Skeleton, Title } from '@mantine/core';
import { late } from '@shell';
import { Suspense } from 'react';
import { Tile } from './Tile';
import type { Metric, Series } from './types';

const Chart = late(() => import('./BoardChart'));

interface Props {
  board: { metrics: readonly Metric[]; series: Series };
  /** The key of the figure that is drawn by day; the first of the board when there is none. */
  chosen?: string;
  onChoose: (key: string) => void;
}

/** The figures of a board, of which one is drawn by day. */
export function Figures({ board: b, chosen, onChoose }: Props) {
  const metric = b.metrics.find((m) => m.key === chosen) ?? b.metrics[0];
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="sm">
        {b.metrics.map((m) => (
          <Tile key={m.key} metric={m} chosen={m === metric} onChoose={() => onChoose(m.key)} />
        ))}
      </SimpleGrid>
      {metric && (
        <Paper component="section" aria-label={metric.label}>
          <Title order={2} mb="sm">
            {metric.label}
          </Title>
          <Suspense fallback={<Skeleton h={220} />}>
            <Chart board={b} metric={metric} />
          </Suspense>
        </Paper>
      )}
    </>
  );
}
