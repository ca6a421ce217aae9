import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, Page, useAction, useNavigate } from '@shell';
import { useTranslation } from 'react-i18next';

/** A campaign begins as a draft with a name; everything else is saved as one goes. */
export default function NewCampaign() {
  const { t } = useTranslation(['campaign', 'shell']);
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '' }, validate: { name: (s) => (s.trim() ? null : t('new.nameMissing')) } });
  const create = useAction('post', '/campaigns', {
    form,
    stale: ['/campaigns'],
    then: (c) => void navigate({ to: `/campaigns/${c.id}/edit`, replace: true }),
  });
  return (
    <Page title={t('new.title')} lead={t('new.lead')} above={[{ label: t('title'), to: '/campaigns' }]}>
      <Paper maw={560}>
        <form noValidate onSubmit={form.onSubmit((v) => void create.run({ body: { name: v.name.trim() } }))}>
          <Stack>
            <TextInput
              label={t('field.name')}
              description={t('field.nameHint')}
              maxLength={120}
              autoFocus
              {...form.getInputProps('name')}
            />
            <Group>
              <Button type="submit" loading={create.pending}>
                {t('new.submit')}
              </Button>
              <Button variant="default" component={Link} to="/campaigns">
                {t('shell:cancel')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Page>
  );
}
