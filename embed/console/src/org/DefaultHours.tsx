import { Fieldset, Skeleton, Stack, Switch, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { SendingHours } from '@kit';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { usualHours, type Values } from './settings';

/** Within which hours a new campaign sends that says nothing of its own; none is at any time. */
export default function DefaultHours({ form, disabled }: { form: UseFormReturnType<Values>; disabled: boolean }) {
  const { t } = useTranslation('org');
  const hours = form.values.default_sending_window;
  const error = Object.entries(form.errors).find(([field]) => field.startsWith('default_sending_window'))?.[1];
  const put = (h: Values['default_sending_window']) => {
    form.setFieldValue('default_sending_window', h);
    form.clearErrors();
  };
  return (
    <Fieldset legend={t('settings.hours')} disabled={disabled}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('settings.hoursLead')}
        </Text>
        <Switch
          label={t('settings.hoursOn')}
          checked={hours !== null}
          onChange={(e) => put(e.currentTarget.checked ? (form.getInitialValues().default_sending_window ?? usualHours) : null)}
        />
        {hours ? (
          <Suspense fallback={<Skeleton h={110} />}>
            <SendingHours value={hours} disabled={disabled} onChange={put} />
          </Suspense>
        ) : (
          <Text size="sm">{t('settings.hoursOff')}</Text>
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
