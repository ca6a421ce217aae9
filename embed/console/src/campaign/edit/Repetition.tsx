import { Fieldset, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { DatePickerInput, TimeInput } from '@mantine/dates';
import { Weekdays } from '@kit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Campaign, Repeat } from '../model';
import { Rule } from '../Rule';
import { localOf, momentOf } from '../zone';

interface Props {
  campaign: Campaign;
  zone: string;
  disabled: boolean;
  errors: Readonly<Record<string, string>>;
  onChange: (r: Repeat | null) => void;
}

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
const usual = (zone: string): Repeat => ({
  frequency: 'MONTHLY',
  interval: 1,
  weekdays: [],
  day_of_month: 1,
  time: '10:00',
  timezone: zone,
  until: null,
  max_runs: null,
  audience: 'ALL',
});

/** Only what belongs to the frequency; the API refuses the rest. */
export function shaped(r: Repeat): Repeat {
  return {
    ...r,
    weekdays: r.frequency === 'WEEKLY' ? r.weekdays : [],
    day_of_month: r.frequency === 'MONTHLY' ? (r.day_of_month ?? 1) : (null as never),
  };
}

/** Whether the campaign comes again: the service makes and launches each run by itself. */
export function Repetition({ campaign: c, zone, disabled, errors, onChange }: Props) {
  const { t } = useTranslation(['campaign', 'shell']);
  const [r, setR] = useState<Repeat | null>(c.repeat);
  const put = (next: Repeat | null) => {
    setR(next);
    onChange(next && shaped(next));
  };
  const days = ['LAST', ...Array.from({ length: 31 }, (_, i) => String(i + 1))];
  const wrong = Object.entries(errors).find(([field]) => field === 'repeat' || field.startsWith('repeat.'))?.[1];
  return (
    <Fieldset legend={t('repeat.title')}>
      <Stack>
        <Switch
          label={t('repeat.on')}
          description={t('repeat.hint')}
          checked={r !== null}
          disabled={disabled}
          onChange={(e) => put(e.currentTarget.checked ? usual(zone) : null)}
        />
        {r && (
          <>
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <Select
                label={t('repeat.frequency')}
                disabled={disabled}
                allowDeselect={false}
                data={frequencies.map((value) => ({ value, label: t(`repeat.${value}`) }))}
                value={r.frequency}
                onChange={(v) => put({ ...r, frequency: v as Repeat['frequency'] })}
              />
              <NumberInput
                label={t('repeat.interval')}
                disabled={disabled}
                min={1}
                max={12}
                allowDecimal={false}
                value={r.interval}
                onChange={(v) => typeof v === 'number' && put({ ...r, interval: v })}
              />
              <TimeInput
                label={t('repeat.time')}
                disabled={disabled}
                value={r.time}
                onChange={(e) => e.currentTarget.value && put({ ...r, time: e.currentTarget.value })}
              />
              {r.frequency === 'MONTHLY' && (
                <Select
                  label={t('repeat.day')}
                  disabled={disabled}
                  allowDeselect={false}
                  value={String(r.day_of_month ?? 1)}
                  data={days.map((d) => ({ value: d, label: d === 'LAST' ? t('repeat.last') : d }))}
                  onChange={(v) => put({ ...r, day_of_month: v === 'LAST' ? 'LAST' : Number(v) })}
                />
              )}
              <DatePickerInput
                label={t('repeat.until')}
                disabled={disabled}
                clearable
                clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
                value={localOf(r.until, zone)?.slice(0, 10) ?? null}
                minDate={new Date()}
                onChange={(v) => put({ ...r, until: momentOf(v && `${v} 23:59:59`, zone) })}
              />
              <NumberInput
                label={t('repeat.runs')}
                disabled={disabled}
                min={1}
                allowDecimal={false}
                value={r.max_runs ?? ''}
                onChange={(v) => put({ ...r, max_runs: typeof v === 'number' ? v : null })}
              />
            </SimpleGrid>
            {r.frequency === 'WEEKLY' && (
              <Weekdays value={r.weekdays} disabled={disabled} onChange={(weekdays) => put({ ...r, weekdays })} />
            )}
            <Switch
              label={t('repeat.newOnly')}
              disabled={disabled}
              checked={r.audience === 'NEW_ONLY'}
              onChange={(e) => put({ ...r, audience: e.currentTarget.checked ? 'NEW_ONLY' : 'ALL' })}
            />
            <Group>
              <Rule campaign={c} repeat={r} />
            </Group>
          </>
        )}
        {wrong && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {wrong}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
