import { Alert, Anchor, Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import { categories } from './choices';
import { AssigneeChoice, type Report } from './report';
import { needsResolution, nextStates } from './reportLife';

/** What an answer of the API may hold, in characters. */
const longest = 4000;

/** Takes a report up, gives it to somebody, or ends it with what was done. */
export function Decide({ report: r, onDone }: { report: Report; onDone: () => void }) {
  const { t } = useTranslation('admin');
  const before = { status: r.status, resolution: r.resolution ?? '', assigned_to: r.assigned_to, category: r.category };
  const form = useForm({
    initialValues: before,
    validate: { resolution: (text, v) => (needsResolution(v.status) && text.trim() === '' ? t('report.resolutionMissing') : null) },
  });
  const act = useAction('patch', '/admin/abuse-reports/{id}', { form, stale: ['/admin'], done: t('saved'), then: onDone });
  const changed = <K extends keyof typeof before>(v: typeof before, key: K) => (v[key] === before[key] ? undefined : v[key]);
  const save = (v: typeof before) =>
    void act.run({
      path: { id: r.id },
      body: {
        status: changed(v, 'status'),
        category: changed(v, 'category'),
        assigned_to: changed(v, 'assigned_to'),
        resolution: v.resolution.trim() === before.resolution ? undefined : v.resolution.trim() || null,
      },
    });
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack gap="sm">
        <Select
          label={t('report.next')}
          data={[r.status, ...nextStates(r.status)].map((value) => ({ value, label: t(`state.report.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('status')}
        />
        <Select
          label={t('report.about')}
          data={categories.map((value) => ({ value, label: t(`report.category.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('category')}
        />
        <AssigneeChoice {...form.getInputProps('assigned_to')} />
        {needsResolution(form.values.status) && (
          <Textarea
            label={t('report.resolution')}
            description={t('report.resolutionHint')}
            maxLength={longest}
            autosize
            minRows={3}
            withAsterisk
            {...form.getInputProps('resolution')}
          />
        )}
        {r.organization_id && (
          <Alert color="blue">
            <Text size="sm">
              {t('report.follows')}{' '}
              <Anchor component={Link} to={`/admin/organizations/${r.organization_id}`} size="sm" c="inherit" underline="always">
                {t('report.toOrganization')}
              </Anchor>
            </Text>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={act.pending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
