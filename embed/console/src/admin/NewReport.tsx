import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { SideDialog, useAction, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import { categories, sources } from './choices';
import { mostOfAList, useOrganizations } from './parts';
import { AssigneeChoice, type Report } from './report';

const longest = 4000;

/** Writes down what somebody complained about. */
export function NewReport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['admin', 'shell']);
  const form = useForm({
    initialValues: {
      organization_id: null as string | null,
      account_id: null as string | null,
      recipient_ref: '',
      category: 'SPAM' as Report['category'],
      source: 'ADMIN' as Report['source'],
      description: '',
      assigned_to: null as string | null,
    },
    validate: { description: (v) => (v.trim() ? null : t('report.whatMissing')) },
  });
  const v = form.values;
  const organizations = useOrganizations();
  const { data: accounts } = useGet(
    '/admin/accounts',
    { query: { organization_id: v.organization_id ?? '', limit: mostOfAList } },
    { enabled: v.organization_id !== null },
  );
  const act = useAction('post', '/admin/abuse-reports', { form, stale: ['/admin'], done: t('report.made'), then: onClose });
  const clear = { clearable: true, clearButtonProps: { 'aria-label': t('shell:list.clearSearch') } };
  return (
    <SideDialog onClose={onClose} size="md" title={t('report.new')}>
      <form
        noValidate
        onSubmit={form.onSubmit(
          (x) => void act.run({ body: { ...x, recipient_ref: x.recipient_ref.trim() || null, description: x.description.trim() } }),
        )}
      >
        <Stack gap="sm">
          <Select
            label={t('report.about')}
            data={categories.map((value) => ({ value, label: t(`report.category.${value}`) }))}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('category')}
          />
          <Textarea
            label={t('report.what')}
            description={t('report.whatHint')}
            autosize
            minRows={4}
            maxLength={longest}
            withAsterisk
            {...form.getInputProps('description')}
          />
          <Select
            label={t('report.by')}
            data={sources.map((value) => ({ value, label: t(`report.source.${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('source')}
          />
          <Select
            label={t('column.organization')}
            data={organizations}
            searchable
            {...clear}
            {...form.getInputProps('organization_id')}
            onChange={(id) => form.setValues({ organization_id: id, account_id: null })}
          />
          {v.organization_id && (
            <Select
              label={t('column.account')}
              data={(accounts?.data ?? []).map((a) => ({ value: a.id, label: a.label || a.phone_masked }))}
              searchable
              {...clear}
              {...form.getInputProps('account_id')}
            />
          )}
          <TextInput
            label={t('report.recipient')}
            description={t('report.recipientHint')}
            maxLength={200}
            {...form.getInputProps('recipient_ref')}
          />
          <AssigneeChoice
            value={v.assigned_to}
            onChange={(id) => form.setFieldValue('assigned_to', id)}
            error={form.errors.assigned_to as string | undefined}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={act.pending}>
              {t('report.record')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SideDialog>
  );
}
