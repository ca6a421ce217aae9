import { ActionIcon, Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useFormat } from '@shell';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Day, days, isAlwaysOpen, isClock, isClose, spansText, weekText } from './hours';
import type { Span, Week } from './types';

interface Props {
  week: Week;
  disabled?: boolean;
  onChange: (week: Week) => void;
}

const usual: Span = { open: '09:00', close: '18:00' };
const mostSpans = 6;
const mostExceptions = 366;

/** The hours of each weekday, and dates with hours of their own; below, what they mean. */
export function HoursEditor({ week, disabled, onChange }: Props) {
  const { t } = useTranslation('business');
  const f = useFormat();
  const set = (day: Day, spans: Span[]) => onChange({ ...week, [day]: spans });
  const dated = (exceptions: Week['exceptions']) => onChange({ ...week, exceptions });
  const next = new Date().toISOString().slice(0, 10);
  return (
    <Stack gap="xs">
      {days.map((day, i) => (
        <Group key={day} align="flex-start" gap="xs" role="group" aria-label={f.weekdays[i]} data-day={day}>
          <Switch
            w={76}
            mt={6}
            label={f.weekdays[i]}
            checked={week[day].length > 0}
            disabled={disabled}
            onChange={(e) => set(day, e.currentTarget.checked ? [lastOf(week, i) ?? usual] : [])}
          />
          <Spans spans={week[day]} name={f.weekdays[i]!} disabled={disabled} onChange={(v) => set(day, v)} />
        </Group>
      ))}
      <Text size="sm" c="dimmed" role="status">
        {isAlwaysOpen(week) ? t('hours.always') : weekText(week, f.weekdays, t('hours.closed'))}
      </Text>
      <Text size="sm" fw={600} mt="xs">
        {t('hours.exceptions')}
      </Text>
      {week.exceptions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('hours.exceptionsHint')}
        </Text>
      )}
      {week.exceptions.map((e, i) => {
        const put = (change: Partial<typeof e>) => dated(week.exceptions.map((x, n) => (n === i ? { ...x, ...change } : x)));
        return (
          <Group key={i} align="flex-start" gap="xs" data-exception={e.date}>
            <TextInput
              w={150}
              type="date"
              aria-label={t('hours.date')}
              value={e.date}
              disabled={disabled}
              onChange={(ev) => put({ date: ev.currentTarget.value })}
            />
            <Spans spans={e.hours} name={e.date} disabled={disabled} onChange={(hours) => put({ hours })} />
            {e.hours.length === 0 && (
              <Text size="sm" mt={8}>
                {t('hours.closed')}
              </Text>
            )}
            {!disabled && (
              <Button variant="subtle" color="gray" onClick={() => dated(week.exceptions.filter((_, n) => n !== i))}>
                {t('hours.forget')}
              </Button>
            )}
          </Group>
        );
      })}
      {!disabled && week.exceptions.length < mostExceptions && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => dated([...week.exceptions, { date: next, hours: [] }])}
        >
          {t('hours.addDate')}
        </Button>
      )}
    </Stack>
  );
}

/** The first times of the nearest day before that is open. */
const lastOf = (week: Week, at: number): Span | undefined =>
  days
    .slice(0, at)
    .map((d) => week[d][0])
    .findLast((s) => s !== undefined);

interface SpansProps {
  spans: readonly Span[];
  name: string;
  disabled?: boolean;
  onChange: (spans: Span[]) => void;
}

/** The times of one day. */
function Spans({ spans, name, disabled, onChange }: SpansProps) {
  const { t } = useTranslation('business');
  const put = (i: number, change: Partial<Span>) => onChange(spans.map((s, n) => (n === i ? { ...s, ...change } : s)));
  return (
    <Stack gap={4}>
      {spans.map((s, i) => (
        <Group key={i} gap={4} wrap="nowrap">
          <Time
            label={t('hours.open', { name })}
            value={s.open}
            right={isClock(s.open)}
            disabled={disabled}
            onChange={(v) => put(i, { open: v })}
          />
          <span aria-hidden>–</span>
          <Time
            label={t('hours.close', { name })}
            value={s.close}
            right={isClose(s.close)}
            disabled={disabled}
            onChange={(v) => put(i, { close: v })}
          />
          {!disabled && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('hours.remove', { name, times: spansText([s], '') })}
              onClick={() => onChange(spans.filter((_, n) => n !== i))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
          {!disabled && i === spans.length - 1 && spans.length < mostSpans && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('hours.add', { name })}
              onClick={() => onChange([...spans, { open: s.close === '24:00' ? '' : s.close, close: '' }])}
            >
              <IconPlus size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {spans.length === 0 && !disabled && (
        <ActionIcon variant="subtle" color="gray" aria-label={t('hours.add', { name })} mt={4} onClick={() => onChange([usual])}>
          <IconPlus size={16} aria-hidden />
        </ActionIcon>
      )}
    </Stack>
  );
}

interface TimeProps {
  label: string;
  value: string;
  right: boolean;
  disabled?: boolean;
  onChange: (v: string) => void;
}

/** A time of a day; 24:00 is one, which no field of a browser takes. */
function Time({ label, value, right, disabled, onChange }: TimeProps) {
  return (
    <TextInput
      w={72}
      aria-label={label}
      placeholder="09:00"
      inputMode="numeric"
      maxLength={5}
      value={value}
      error={!right}
      disabled={disabled}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}
