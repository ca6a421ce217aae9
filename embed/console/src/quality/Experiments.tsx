import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type Column,
  Dialog,
  type Filter,
  List,
  NamedThing,
  Num,
  Page,
  Status,
  useAction,
  useCan,
  useGet,
  useNavigate,
  When,
} from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QualitySections } from './parts';
import { type Experiment, experimentStatuses, metrics } from './types';

/** Versions of the seller's prompt, compared on conversations of customers. */
export default function Experiments() {
  const { t } = useTranslation('quality');
  const can = useCan();
  const [adding, setAdding] = useState(false);
  const columns = useMemo<Column<Experiment>[]>(
    () => [
      { key: 'name', title: t('column.name'), render: (e) => e.name },
      { key: 'business', title: t('column.business'), from: 'md', render: (e) => (e.business ? <NamedThing of={e.business} /> : '–') },
      { key: 'metric', title: t('experiment.metric'), render: (e) => t(`metric.${e.metric}`) },
      { key: 'status', title: t('column.state'), render: (e) => <Status state={e.status} label={t(`experimentState.${e.status}`)} /> },
      {
        key: 'seen',
        title: t('experiment.conversations'),
        align: 'right',
        render: (e) => <Num value={e.results.reduce((n, r) => n + r.conversations, 0)} />,
      },
      { key: 'at', title: t('column.at'), from: 'lg', render: (e) => <When at={e.created_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.state'),
        options: experimentStatuses.map((value) => ({ value, label: t(`experimentState.${value}`) })),
      },
    ],
    [t],
  );
  const add = can('ai:manage') && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('experiment.add')}
    </Button>
  );
  return (
    <Page title={t('sections.experiments')} lead={t('experiment.lead')} actions={add}>
      <QualitySections />
      <List
        path="/ai/experiments"
        label={t('sections.experiments')}
        columns={columns}
        filters={filters}
        to={(e) => `/ai/quality/experiments/${e.id}`}
        name={(e) => e.name}
        empty={{ title: t('experiment.empty'), text: t('experiment.emptyText'), action: add }}
      />
      {adding && <ExperimentDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function ExperimentDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['quality', 'shell']);
  const navigate = useNavigate();
  const businesses = useGet('/ai/businesses', { query: { limit: 100 } }).data?.data ?? [];
  const form = useForm({
    initialValues: { name: '', business_id: '', metric: 'REPLY_RATE' },
    validate: { name: (v) => (v.trim() ? null : t('form.nameMissing')) },
  });
  const create = useAction('post', '/ai/experiments', {
    form,
    stale: ['/ai/experiments'],
    then: (e) => void navigate({ to: `/ai/quality/experiments/${e.id}` }),
  });
  const business = form.values.business_id || businesses[0]?.id || '';
  return (
    <Dialog onClose={onClose} title={t('experiment.add')}>
      <form
        onSubmit={form.onSubmit(
          (v) => void create.run({ body: { name: v.name.trim(), business_id: business, metric: v.metric } as never }),
        )}
        noValidate
      >
        <Stack>
          <TextInput label={t('column.name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
          <Select
            label={t('column.business')}
            allowDeselect={false}
            data={businesses.map((b) => ({ value: b.id, label: b.name }))}
            {...form.getInputProps('business_id')}
            value={business}
          />
          <Select
            label={t('experiment.metric')}
            description={t(`metricHint.${form.values.metric}` as never) as string}
            allowDeselect={false}
            data={metrics.map((value) => ({ value, label: t(`metric.${value}`) }))}
            {...form.getInputProps('metric')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('experiment.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
