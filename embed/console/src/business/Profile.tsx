import {
  Button,
  Grid,
  Group,
  MultiSelect,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { Unsaved, useAction, useCan } from '@shell';
import { useTranslation } from 'react-i18next';
import { LanguageFields } from './Businesses';
import { HoursEditor } from './HoursEditor';
import { wrongTimes } from './hours';
import { Wrong } from './parts';
import { type Business, orNull } from './types';

const zones = (own: string): string[] => [...new Set([own, ...Intl.supportedValuesOf('timeZone')])];
const lengths = [15, 20, 30, 45, 60, 90, 120, 180, 240].map(String);

/** What a business is, when it is open and how it is booked. */
export default function Profile({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const form = useForm({
    initialValues: {
      name: b.name,
      industry: b.industry ?? '',
      description: b.description ?? '',
      target_customer: b.target_customer ?? '',
      website: b.website ?? '',
      languages: b.languages,
      default_language: b.default_language,
      timezone: b.timezone,
      business_hours: b.business_hours,
      calendar_config: { ...b.calendar_config, allowed_minutes: b.calendar_config.allowed_minutes.map(String) },
      require_customer_confirmation: b.require_customer_confirmation,
    },
    validate: {
      name: (v) => (v.trim() ? null : t('nameMissing')),
      languages: (v) => (v.length > 0 ? null : t('languageMissing')),
      default_language: (v, all) => (all.languages.includes(v) ? null : t('defaultLanguageMissing')),
      business_hours: (v) => (wrongTimes(v).length > 0 ? t('hours.wrong') : null),
    },
  });
  const change = useAction('patch', '/ai/businesses/{id}', {
    form,
    stale: ['/ai/businesses'],
    done: t('saved'),
  });
  const save = form.onSubmit((v) => {
    const body = {
      ...v,
      name: v.name.trim(),
      industry: orNull(v.industry),
      description: orNull(v.description),
      target_customer: orNull(v.target_customer),
      website: orNull(v.website),
      calendar_config: { ...v.calendar_config, allowed_minutes: v.calendar_config.allowed_minutes.map(Number) },
    };
    void change.run({ path: { id: b.id }, body });
  });
  const minutes = (field: 'min_notice_minutes' | 'buffer_minutes' | 'slot_step_minutes' | 'horizon_days', min: number, max: number) => (
    <NumberInput
      label={t(`booking.${field}`)}
      min={min}
      max={max}
      allowDecimal={false}
      disabled={!may}
      {...form.getInputProps(`calendar_config.${field}`)}
    />
  );
  return (
    <form onSubmit={save} noValidate>
      <Unsaved form={form} />
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Paper component="section">
            <Stack>
              <Title order={2}>{t('tab.about')}</Title>
              <TextInput label={t('name')} description={t('nameHint')} maxLength={120} disabled={!may} {...form.getInputProps('name')} />
              <TextInput label={t('industry')} maxLength={120} disabled={!may} {...form.getInputProps('industry')} />
              <Textarea
                label={t('description')}
                description={t('descriptionHint')}
                autosize
                minRows={3}
                maxRows={10}
                maxLength={4000}
                disabled={!may}
                {...form.getInputProps('description')}
              />
              <Textarea
                label={t('target')}
                autosize
                minRows={2}
                maxRows={6}
                maxLength={2000}
                disabled={!may}
                {...form.getInputProps('target_customer')}
              />
              <TextInput label={t('website')} type="url" maxLength={2048} disabled={!may} {...form.getInputProps('website')} />
              <LanguageFields form={form} disabled={!may} />
            </Stack>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Paper component="section">
              <Stack>
                <Title order={2}>{t('hours.title')}</Title>
                <Select
                  label={t('hours.zone')}
                  data={zones(b.timezone)}
                  searchable
                  allowDeselect={false}
                  disabled={!may}
                  {...form.getInputProps('timezone')}
                />
                <HoursEditor
                  week={form.values.business_hours}
                  disabled={!may}
                  onChange={(week) => form.setFieldValue('business_hours', week)}
                />
                <Wrong errors={form.errors} shown={(f) => !f.startsWith('business_hours')} />
              </Stack>
            </Paper>
            <Paper component="section">
              <Stack>
                <Title order={2}>{t('booking.title')}</Title>
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  {minutes('min_notice_minutes', 0, 43_200)}
                  {minutes('horizon_days', 1, 365)}
                  {minutes('buffer_minutes', 0, 240)}
                  {minutes('slot_step_minutes', 5, 240)}
                </SimpleGrid>
                <MultiSelect
                  label={t('booking.lengths')}
                  data={[...new Set([...lengths, ...form.values.calendar_config.allowed_minutes])]}
                  disabled={!may}
                  {...form.getInputProps('calendar_config.allowed_minutes')}
                />
                <Switch
                  label={t('booking.confirm')}
                  description={t('booking.confirmHint')}
                  disabled={!may}
                  {...form.getInputProps('require_customer_confirmation', { type: 'checkbox' })}
                />
              </Stack>
            </Paper>
          </Stack>
        </Grid.Col>
      </Grid>
      {may && (
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={change.pending}>
            {t('save')}
          </Button>
        </Group>
      )}
    </form>
  );
}
