import { Button, Fieldset, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ApiError, Unsaved, useAction, useCan, useFormat, useGet, useHeld } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explained } from './flow';
import { type Account, proxyName } from './name';
import { Refusal } from './Refusal';

interface Values {
  label: string;
  daily_limit: number | string;
  min_interval_seconds: number | string;
  inbound_enabled: boolean;
  proxy_id: string | null;
}

const valuesOf = (a: Account): Values => ({
  label: a.label ?? '',
  daily_limit: a.daily_limit,
  min_interval_seconds: a.min_interval_seconds,
  inbound_enabled: a.inbound_enabled,
  proxy_id: a.proxy_id,
});

/** What differs from the account, as the API takes it. */
export function changesOf(a: Account, v: Values) {
  return {
    ...(v.label.trim() === (a.label ?? '') ? {} : { label: v.label.trim() || null }),
    ...(v.daily_limit === a.daily_limit ? {} : { daily_limit: Number(v.daily_limit) }),
    ...(v.min_interval_seconds === a.min_interval_seconds ? {} : { min_interval_seconds: Number(v.min_interval_seconds) }),
    ...(v.inbound_enabled === a.inbound_enabled ? {} : { inbound_enabled: v.inbound_enabled }),
    ...(v.proxy_id === a.proxy_id ? {} : { proxy_id: v.proxy_id }),
  };
}

/** How long a full day's sending takes at a pace: in minutes below two hours, then in hours. */
export function timeFor(limit: number, seconds: number): { count: number; unit: 'minute' | 'hour' } {
  const minutes = (limit * seconds) / 60;
  return minutes < 120 ? { count: Math.ceil(minutes), unit: 'minute' } : { count: Math.round(minutes / 6) / 10, unit: 'hour' };
}

export function Settings({ account: a }: { account: Account }) {
  const { t } = useTranslation('account');
  const can = useCan();
  const f = useFormat();
  const manage = can('accounts:manage');
  const [refused, setRefused] = useState<ApiError>();
  const form = useForm<Values>({
    initialValues: valuesOf(a),
    validate: {
      daily_limit: (n) => (Number.isInteger(n) && Number(n) >= 1 ? null : t('settings.whole')),
      min_interval_seconds: (n) => (Number.isInteger(n) && Number(n) >= 1 ? null : t('settings.whole')),
    },
  });
  useHeld(form, valuesOf(a));
  const save = useAction('patch', '/accounts/{id}', {
    form,
    stale: ['/accounts', '/proxies', '/campaigns'],
    done: t('settings.saved'),
    then: () => setRefused(undefined),
    failed: (e) => explained.includes(e.code) && (setRefused(e), true),
  });
  const v = form.values;
  const pace =
    Number(v.daily_limit) > 0 && Number(v.min_interval_seconds) > 0
      ? timeFor(Number(v.daily_limit), Number(v.min_interval_seconds))
      : undefined;
  return (
    <Fieldset legend={t('settings.title')} disabled={!manage}>
      <Unsaved form={form} />
      <form noValidate onSubmit={form.onSubmit((values) => void save.run({ path: { id: a.id }, body: changesOf(a, values) }))}>
        <Stack>
          {refused && <Refusal error={refused} />}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={t('settings.label')} description={t('settings.labelHint')} maxLength={120} {...form.getInputProps('label')} />
            <ProxyChoice
              account={a}
              value={v.proxy_id}
              error={form.errors.proxy_id as string | undefined}
              onChange={(id) => form.setFieldValue('proxy_id', id)}
            />
            <NumberInput
              label={t('settings.daily')}
              description={t('settings.dailyHint', { most: 500 })}
              min={1}
              allowDecimal={false}
              thousandSeparator=" "
              {...form.getInputProps('daily_limit')}
            />
            <NumberInput
              label={t('settings.interval')}
              description={t('settings.intervalHint', { least: 4 })}
              min={1}
              allowDecimal={false}
              {...form.getInputProps('min_interval_seconds')}
            />
          </SimpleGrid>
          {pace && (
            <Text size="sm" c="dimmed">
              {t('settings.pace', { time: f.measure(pace.count, pace.unit, 1) })}
            </Text>
          )}
          <Switch
            label={t('settings.inbound')}
            description={t('settings.inboundHint')}
            {...form.getInputProps('inbound_enabled', { type: 'checkbox' })}
          />
          {manage && (
            <Group>
              <Button type="submit" loading={save.pending} disabled={!form.isDirty()}>
                {t('settings.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Fieldset>
  );
}

interface ChoiceProps {
  account: Account;
  value: string | null;
  error?: string;
  onChange: (id: string | null) => void;
}

/** The proxies that no other account uses. */
function ProxyChoice({ account: a, value, error, onChange }: ChoiceProps) {
  const { t } = useTranslation(['account', 'shell']);
  const can = useCan();
  const { data } = useGet('/proxies', { query: { limit: 500 } }, { enabled: can('proxies:read') });
  const free = (data?.data ?? []).filter((p) => (p.account_id === null && p.status !== 'DISABLED') || p.account_id === a.id);
  return (
    <Select
      label={t('facts.proxy')}
      description={t('settings.proxyHint')}
      placeholder={t('direct')}
      data={free.map((p) => ({ value: p.id, label: `${proxyName(p)} · ${t(`proxyState.${p.status}`)}` }))}
      value={value}
      onChange={onChange}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
      nothingFoundMessage={t('settings.noProxy')}
    />
  );
}
