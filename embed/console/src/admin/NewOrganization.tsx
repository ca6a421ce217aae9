import { Alert, Button, Group, Paper, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Copy, Link, Page, useAction } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { plans, type Plan } from './choices';
import { administrators } from './Guard';

interface Made {
  id: string;
  name: string;
  email: string;
  url: string;
}

/** Makes an organization and shows the link for its owner, which is in one answer only. */
function NewOrganization() {
  const { t } = useTranslation(['admin', 'shell']);
  const [made, setMade] = useState<Made>();
  return (
    <Page
      title={t('organization.new')}
      lead={t('organization.newLead')}
      above={[{ label: t('organization.title'), to: '/admin/organizations' }]}
    >
      {made ? <Invited made={made} /> : <Form onMade={setMade} />}
    </Page>
  );
}

function Form({ onMade }: { onMade: (made: Made) => void }) {
  const { t } = useTranslation(['admin', 'shell']);
  const form = useForm({
    initialValues: { name: '', owner_email: '', plan: null as Plan | null, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    validate: {
      name: (v) => (v.trim() ? null : t('organization.nameMissing')),
      owner_email: (v) => (v.includes('@') ? null : t('organization.emailMissing')),
    },
  });
  const create = useAction('post', '/admin/organizations', {
    form,
    stale: ['/admin'],
    then: (o) =>
      onMade({
        id: o.id,
        name: o.name,
        email: form.getValues().owner_email.trim(),
        url: new URL(o.invitation_url ?? '', location.origin).href,
      }),
  });
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (v) =>
          void create.run({
            body: { name: v.name.trim(), owner_email: v.owner_email.trim(), plan: v.plan ?? undefined, timezone: v.timezone },
          }),
      )}
    >
      <Paper maw={560}>
        <Stack>
          <TextInput label={t('organization.name')} autoFocus {...form.getInputProps('name')} />
          <TextInput
            label={t('organization.ownerEmail')}
            description={t('organization.ownerHint')}
            type="email"
            {...form.getInputProps('owner_email')}
          />
          <Select
            label={t('column.plan')}
            placeholder={t('organization.defaultPlan')}
            data={plans.map((value) => ({ value, label: t(`plan.${value}`) }))}
            clearable
            clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
            {...form.getInputProps('plan')}
          />
          <Select label={t('organization.timezone')} data={zones} searchable allowDeselect={false} {...form.getInputProps('timezone')} />
          <Group>
            <Button type="submit" loading={create.pending}>
              {t('organization.create')}
            </Button>
            <Button variant="default" component={Link} to="/admin/organizations">
              {t('shell:cancel')}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </form>
  );
}

function Invited({ made }: { made: Made }) {
  const { t } = useTranslation('admin');
  return (
    <Paper maw={640}>
      <Stack>
        <Alert color="green" title={t('organization.made', { name: made.name })}>
          {t('organization.sendLink', { email: made.email })}
        </Alert>
        <Copy value={made.url} />
        <Alert color="yellow">{t('organization.once')}</Alert>
        <Group>
          <Button component={Link} to={`/admin/organizations/${made.id}`}>
            {t('organization.open')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

export default administrators(NewOrganization);
