import 'virtual:mantine-pages.css';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/action';
import { Page } from '../page/Page';
import { startAnew } from '../session/me';

/** Somebody without an organization makes one. */
export default function NoOrganization() {
  const { t } = useTranslation('shell');
  const form = useForm({ initialValues: { name: '' }, validate: { name: (v) => (v.trim() ? null : t('organization.nameMissing')) } });
  const create = useAction('post', '/me/organizations', { form, then: startAnew });
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Page title={t('organization.first')}>
      <form onSubmit={form.onSubmit((v) => void create.run({ body: { name: v.name.trim(), timezone } }))}>
        <Stack maw={420}>
          <Text>{t('organization.firstText')}</Text>
          <TextInput label={t('organization.name')} autoFocus {...form.getInputProps('name')} />
          <Button type="submit" loading={create.pending}>
            {t('organization.create')}
          </Button>
        </Stack>
      </form>
    </Page>
  );
}
