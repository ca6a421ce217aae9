import { Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFigure } from './figure';
import classes from './insight.module.css';
import { type Metric, trend } from './types';

/** A figure beside that of the time before; choosing it draws it. */
export function Tile({ metric: m, chosen, onChoose }: { metric: Metric; chosen: boolean; onChoose: () => void }) {
  const { t } = useTranslation('insight');
  const figure = useFigure();
  const changed = trend(m);
  const color = changed && changed.good !== 0 ? (changed.good > 0 ? 'teal.8' : 'red.8') : 'dimmed';
  return (
    <UnstyledButton className={classes.tile} data-metric={m.key} aria-pressed={chosen} onClick={onChoose}>
      <Text size="sm" c="dimmed">
        {m.label}
      </Text>
      <Text fw={700} size="xl">
        {figure(m.value, m.unit)}
        {m.max !== null && m.value !== null && (
          <Text span size="sm" c="dimmed" fw={400}>
            {` / ${m.max}`}
          </Text>
        )}
      </Text>
      <Text size="xs" c={color}>
        {changed ? t(changed.by === 0 ? 'board.same' : 'board.before', { value: figure(m.previous, m.unit) }) : '\u00a0'}
      </Text>
    </UnstyledButton>
  );
}
