import '@mantine/dates/styles.css';
import { Group, Stack, Text } from '@mantine/core';
import { TimeInput } from '@mantine/dates';
import { useTranslation } from 'react-i18next';
import { endSent, endShown, type Hours, isOvernight } from './days';
import { Weekdays } from './Weekdays';

interface Props {
  value: Hours;
  disabled?: boolean;
  /** Gets what is not complete yet too: no day, or an empty time. */
  onChange: (h: Hours) => void;
}

/** Days of the week, and from when to when on each. */
export default function SendingHours({ value: h, disabled, onChange }: Props) {
  const { t } = useTranslation('kit');
  return (
    <Stack>
      <Weekdays value={h.weekdays} disabled={disabled} onChange={(weekdays) => onChange({ ...h, weekdays })} />
      <Group>
        <TimeInput
          label={t('hours.from')}
          value={h.start}
          disabled={disabled}
          onChange={(e) => onChange({ ...h, start: e.currentTarget.value })}
        />
        <TimeInput
          label={t('hours.to')}
          value={endShown(h.end)}
          disabled={disabled}
          onChange={(e) => onChange({ ...h, end: endSent(e.currentTarget.value) })}
        />
      </Group>
      {h.weekdays.length === 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('hours.noDay')}
        </Text>
      )}
      {isOvernight(h) && (
        <Text size="sm" c="dimmed">
          {t('hours.midnight')}
        </Text>
      )}
    </Stack>
  );
}
