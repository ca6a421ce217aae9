import { Chip, Group } from '@mantine/core';
import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { type Weekday, weekdays } from './days';

/** The days of the week, by their short names. */
export function Weekdays({
  value,
  disabled,
  onChange,
}: {
  value: readonly Weekday[];
  disabled?: boolean;
  onChange: (v: Weekday[]) => void;
}) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  return (
    <Chip.Group multiple value={[...value]} onChange={(v) => onChange(weekdays.filter((d) => v.includes(d)))}>
      <Group gap={4} role="group" aria-label={t('hours.days')}>
        {weekdays.map((d, i) => (
          <Chip key={d} value={d} size="xs" disabled={disabled}>
            {f.weekdays[i]}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
