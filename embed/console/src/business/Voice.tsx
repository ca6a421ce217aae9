import { MultiSelect, Paper, Select, SimpleGrid, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import { profileName } from './ProfileActs';
import type { Draft } from './settings';
import { type Business, whole } from './types';

/** Who speaks, how, in which words, and along which funnel: nothing chosen is the default. */
export function Voice({ business: b, form, disabled }: { business: Business; form: UseFormReturnType<Draft>; disabled?: boolean }) {
  const { t } = useTranslation('business');
  const path = { id: b.id };
  const identities = useGet('/ai/businesses/{id}/identities', { path, query: whole });
  const funnels = useGet('/ai/businesses/{id}/funnels', { path, query: whole });
  const communication = useGet('/ai/communication-profiles', { query: whole });
  const languages = useGet('/ai/language-profiles', { query: whole });
  const choice = (field: keyof Draft, label: string, data?: readonly { id: string; name: string }[]) => (
    <Select
      label={label}
      placeholder={t('asDefault')}
      clearable
      disabled={disabled}
      data={(data ?? []).map((x) => ({ value: x.id, label: x.name }))}
      {...form.getInputProps(field)}
    />
  );
  return (
    <Paper component="section">
      <Title order={2} mb="sm">
        {t('seller.voice')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {choice('identity_id', t('seller.identity'), identities.data?.data)}
        {choice('funnel_id', t('tab.funnel'), funnels.data?.data)}
        {choice(
          'communication_profile_id',
          t('seller.communication'),
          communication.data?.data.map((p) => ({ id: p.id, name: profileName(t, p) })),
        )}
        <MultiSelect
          label={t('seller.languageProfiles')}
          placeholder={form.values.language_profile_ids.length === 0 ? t('asDefault') : undefined}
          maxValues={3}
          disabled={disabled}
          data={(languages.data?.data ?? []).map((x) => ({ value: x.id, label: x.name }))}
          {...form.getInputProps('language_profile_ids')}
        />
      </SimpleGrid>
    </Paper>
  );
}
