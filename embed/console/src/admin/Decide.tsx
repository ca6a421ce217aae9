import { Alert, Anchor, Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useAction } from '@shell';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { categories } from './choices';
import { AssigneeChoice, type Report } from './report';
import { needsResolution, nextStates } from './reportLife';

/** What an answer of the API may hold, in characters. */
const longest = 4000;

/** Takes a report up, gives it to somebody, or ends it with what was done. */
export function Decide({ report: r, onDone }: { report: Report; onDone: () => void }) {
  const { t } = useTranslation('admin');
  const [status, setStatus] = useState<string>(r.status);
  const [resolution, setResolution] = useState(r.resolution ?? '');
  const [assigned, setAssigned] = useState(r.assigned_to);
  const [category, setCategory] = useState<string>(r.category);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const act = useAction('patch', '/admin/abuse-reports/{id}', { form: { setErrors }, stale: ['/admin'], done: t('saved'), then: onDone });
  const ends = needsResolution(status);
  const save = () => {
    if (ends && resolution.trim() === '') return setErrors({ resolution: t('report.resolutionMissing') });
    void act.run({
      path: { id: r.id },
      body: {
        status: status === r.status ? undefined : (status as Report['status']),
        category: category === r.category ? undefined : (category as Report['category']),
        assigned_to: assigned === r.assigned_to ? undefined : assigned,
        resolution: resolution.trim() === (r.resolution ?? '') ? undefined : resolution.trim() || null,
      },
    });
  };
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        save();
      }}
    >
      <Stack gap="sm">
        <Select
          label={t('report.next')}
          data={[r.status, ...nextStates(r.status)].map((value) => ({ value, label: t(`state.report.${value}`) }))}
          value={status}
          onChange={(v) => setStatus(v ?? r.status)}
          allowDeselect={false}
          error={errors.status}
        />
        <Select
          label={t('report.about')}
          data={categories.map((value) => ({ value, label: t(`report.category.${value}`) }))}
          value={category}
          onChange={(v) => setCategory(v ?? r.category)}
          allowDeselect={false}
        />
        <AssigneeChoice value={assigned} onChange={setAssigned} error={errors.assigned_to} />
        {ends && (
          <Textarea
            label={t('report.resolution')}
            description={t('report.resolutionHint')}
            value={resolution}
            onChange={(e) => setResolution(e.currentTarget.value)}
            maxLength={longest}
            autosize
            minRows={3}
            error={errors.resolution}
            withAsterisk
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
