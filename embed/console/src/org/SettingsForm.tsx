import {
  Button,
  Fieldset,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { Copy, late, refresh, Unsaved, useAction, useCan, useFormat, useHeld } from '@shell';
import { languageNames } from '@shell/language/i18n';
import { Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { changes, hoursProblem, languages, type Organization, type Values, valuesOf } from './settings';

/** It draws fields of time, which no other part of the settings needs. */
const DefaultHours = late(() => import('./DefaultHours'));

type Form = UseFormReturnType<Values>;
const longest = 3650;

export function SettingsForm({ organization: o }: { organization: Organization }) {
  const { t } = useTranslation('org');
  const f = useFormat();
  const can = useCan();
  const fixed = !can('org:manage');
  const form = useForm<Values>({
    initialValues: valuesOf(o),
    validate: {
      name: (v) => (v.trim() ? null : t('settings.nameMissing')),
      default_sending_window: (v) => {
        const wrong = hoursProblem(v);
        return wrong && t(`settings.hoursWrong.${wrong}`);
      },
      retention: { executions_days: (v) => (v === '' ? t('settings.executionsDaysMissing') : null) },
    },
  });
  const save = useAction('patch', '/organization', {
    form,
    done: t('saved'),
    then: () => void refresh('/organization', '/me'),
  });
  useHeld(form, valuesOf(o));
  const zones = useMemo(() => [...new Set([o.timezone, ...Intl.supportedValuesOf('timeZone')])], [o.timezone]);
  const names = languages.map((value) => ({ value, label: languageNames[value] }));
  return (
    <form onSubmit={form.onSubmit((v) => void save.run({ body: changes(o, v) }))} noValidate>
      <Unsaved form={form} />
      <Stack maw={760}>
        <Fieldset legend={t('settings.general')} disabled={fixed}>
          <Stack gap="sm">
            <TextInput label={t('settings.name')} maxLength={120} {...form.getInputProps('name')} />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Select
                label={t('settings.zone')}
                description={t('settings.zoneHint')}
                data={zones}
                searchable
                allowDeselect={false}
                disabled={fixed}
                {...form.getInputProps('timezone')}
              />
              <Select
                label={t('settings.language')}
                description={t('settings.languageHint')}
                data={names}
                allowDeselect={false}
                disabled={fixed}
                {...form.getInputProps('default_language')}
              />
            </SimpleGrid>
            <Group gap="xs">
              <Text size="sm" c="dimmed">
                {t('settings.since', { date: f.date(o.created_at) })}
              </Text>
              <Copy value={o.id} label="id" small />
            </Group>
          </Stack>
        </Fieldset>
        <Suspense fallback={<Skeleton h={220} />}>
          <DefaultHours form={form} disabled={fixed} />
        </Suspense>
        <Retention form={form} disabled={fixed} />
        <OptOut form={form} names={names} disabled={fixed} />
        <StopWords form={form} disabled={fixed} />
        {!fixed && (
          <Group pos="sticky" bottom={0} py="sm" bg="var(--svc-canvas)" style={{ zIndex: 2 }}>
            <Button type="submit" loading={save.pending} disabled={!form.isDirty()}>
              {t('save')}
            </Button>
            {form.isDirty() && (
              <Button variant="default" onClick={() => form.reset()}>
                {t('settings.undo')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}

function Retention({ form, disabled }: { form: Form; disabled: boolean }) {
  const { t } = useTranslation('org');
  return (
    <Fieldset legend={t('settings.retention')} disabled={disabled}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={t('settings.messagesDays')}
          description={t('settings.messagesDaysHint')}
          placeholder={t('settings.forever')}
          min={1}
          max={longest}
          allowDecimal={false}
          {...form.getInputProps('retention.messages_days')}
        />
        <NumberInput
          label={t('settings.eventsDays')}
          description={t('settings.eventsDaysHint')}
          min={1}
          max={longest}
          allowDecimal={false}
          {...form.getInputProps('retention.events_days')}
        />
        <NumberInput
          label={t('settings.executionsDays')}
          description={t('settings.executionsDaysHint')}
          min={1}
          max={longest}
          allowDecimal={false}
          {...form.getInputProps('retention.executions_days')}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

function OptOut({ form, names, disabled }: { form: Form; names: { value: string; label: string }[]; disabled: boolean }) {
  const { t } = useTranslation('org');
  return (
    <Fieldset legend={t('settings.optOut')} disabled={disabled}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('settings.optOutLead')}
      </Text>
      <Stack gap="sm">
        <TextInput
          label={t('settings.optOutTitle')}
          placeholder={t('settings.own')}
          maxLength={120}
          {...form.getInputProps('opt_out_page.title')}
        />
        <Textarea
          label={t('settings.optOutText')}
          placeholder={t('settings.own')}
          maxLength={2000}
          autosize
          minRows={2}
          {...form.getInputProps('opt_out_page.text')}
        />
        <Select
          label={t('settings.optOutLanguage')}
          data={names}
          allowDeselect={false}
          disabled={disabled}
          {...form.getInputProps('opt_out_page.language')}
        />
      </Stack>
    </Fieldset>
  );
}

function StopWords({ form, disabled }: { form: Form; disabled: boolean }) {
  const { t } = useTranslation('org');
  return (
    <Fieldset legend={t('settings.stop')} disabled={disabled}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('settings.stopLead')}
      </Text>
      <Stack gap="sm">
        {languages.map((l) => (
          <TagsInput
            key={l}
            label={languageNames[l]}
            maxTags={50}
            maxLength={50}
            disabled={disabled}
            splitChars={[',', ';']}
            {...form.getInputProps(`stop_keywords.${l}`)}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
