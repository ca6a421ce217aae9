import '@mantine/dates/styles.css';
import { Fieldset, SegmentedControl, Select, SimpleGrid, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { DatesProvider, DateTimePicker } from '@mantine/dates';
import { SendingHours } from '@kit';
import { currentLanguage, dayjsLocale } from '@shell';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, mayChange, type Weekday } from '../model';
import { localOf, momentOf, zones } from '../zone';
import type { StepProps } from './draft';
import { Repetition } from './Repetition';

const workdays: Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR'];

/** When it begins, within which hours it sends, when it ends, and whether it repeats. */
export function Schedule({ campaign: c, draft }: StepProps) {
  const { t } = useTranslation(['campaign', 'shell']);
  const [zone, setZone] = useState(c.timezone);
  const [begin, setBegin] = useState(c.scheduled_at);
  const [end, setEnd] = useState(c.end_at);
  const [now, setNow] = useState(c.scheduled_at === null);
  const free = {
    begin: mayChange(c, 'scheduled_at'),
    end: mayChange(c, 'end_at'),
    zone: mayChange(c, 'timezone'),
    window: mayChange(c, 'sending_window'),
    repeat: mayChange(c, 'repeat'),
  };
  const clear = { 'aria-label': t('shell:list.clearSearch') };
  return (
    <DatesProvider settings={{ locale: dayjsLocale(currentLanguage()), firstDayOfWeek: 1 }}>
      <Stack maw={820}>
        <Fieldset legend={t('when.title')}>
          <Stack>
            <SegmentedControl
              value={now ? 'now' : 'at'}
              disabled={!free.begin}
              data={[
                { value: 'now', label: t('when.now') },
                { value: 'at', label: t('when.at') },
              ]}
              aria-label={t('when.begin')}
              onChange={(v) => {
                setNow(v === 'now');
                if (v === 'now') {
                  setBegin(null);
                  draft.change({ scheduled_at: null });
                }
              }}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
              {!now && (
                <DateTimePicker
                  label={t('when.begin')}
                  valueFormat="D MMM YYYY HH:mm"
                  disabled={!free.begin}
                  value={localOf(begin, zone)}
                  minDate={new Date()}
                  clearable
                  clearButtonProps={clear}
                  error={draft.errors.scheduled_at}
                  onChange={(v) => {
                    const at = momentOf(v, zone);
                    setBegin(at);
                    draft.change({ scheduled_at: at });
                  }}
                />
              )}
              <DateTimePicker
                label={t('when.end')}
                description={t('when.endHint')}
                valueFormat="D MMM YYYY HH:mm"
                disabled={!free.end}
                value={localOf(end, zone)}
                minDate={new Date()}
                clearable
                clearButtonProps={clear}
                error={draft.errors.end_at}
                onChange={(v) => {
                  const at = momentOf(v, zone);
                  setEnd(at);
                  draft.change({ end_at: at });
                }}
              />
              <Select
                label={t('when.zone')}
                data={zones(zone)}
                searchable
                allowDeselect={false}
                disabled={!free.zone}
                value={zone}
                error={draft.errors.timezone}
                onChange={(v) => {
                  if (v) {
                    setZone(v);
                    draft.change({ timezone: v });
                  }
                }}
              />
            </SimpleGrid>
          </Stack>
        </Fieldset>
        <Window
          campaign={c}
          disabled={!free.window}
          error={draft.errors.sending_window}
          onChange={(w) => draft.change({ sending_window: w })}
        />
        <Repetition campaign={c} zone={zone} disabled={!free.repeat} errors={draft.errors} onChange={(r) => draft.change({ repeat: r })} />
      </Stack>
    </DatesProvider>
  );
}

interface WindowProps {
  campaign: Campaign;
  disabled: boolean;
  error?: string;
  onChange: (w: Campaign['sending_window']) => void;
}

function Window({ campaign: c, disabled, error, onChange }: WindowProps) {
  const { t } = useTranslation('campaign');
  const [on, setOn] = useState(c.sending_window !== null);
  const [w, setW] = useState(c.sending_window ?? { weekdays: workdays, start: '09:00', end: '20:00' });
  const change = (next: typeof w) => {
    setW(next);
    if (next.weekdays.length > 0 && next.start && next.end) onChange(next);
  };
  return (
    <Fieldset legend={t('window.title')}>
      <Stack>
        <Switch
          label={t('window.on')}
          description={t('window.hint')}
          checked={on}
          disabled={disabled}
          onChange={(e) => {
            setOn(e.currentTarget.checked);
            onChange(e.currentTarget.checked ? w : null);
          }}
        />
        {on && (
          <Suspense fallback={<Skeleton h={110} />}>
            <SendingHours value={w} disabled={disabled} onChange={change} />
          </Suspense>
        )}
        {error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
