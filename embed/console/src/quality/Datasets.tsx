import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Beside, type Column, Dialog, List, NamedThing, Num, Page, useAction, useCan, useGet, useNavigate, When } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QualitySections } from './parts';
import type { Dataset } from './types';

/** What versions of the seller's prompt are tried on. */
export default function Datasets() {
  const { t } = useTranslation('quality');
  const can = useCan();
  const [adding, setAdding] = useState(false);
  const columns = useMemo<Column<Dataset>[]>(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        render: (d) => (
          <>
            {d.name} {d.description && <Beside>{d.description}</Beside>}
          </>
        ),
      },
      { key: 'business', title: t('column.business'), from: 'md', render: (d) => (d.business ? <NamedThing of={d.business} /> : '–') },
      { key: 'items', title: t('column.items'), align: 'right', render: (d) => <Num value={d.items_count} /> },
      { key: 'at', title: t('column.at'), render: (d) => <When at={d.created_at} /> },
    ],
    [t],
  );
  const add = can('ai:manage') && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('dataset.add')}
    </Button>
  );
  return (
    <Page title={t('sections.datasets')} lead={t('dataset.lead')} actions={add}>
      <QualitySections />
      <List
        path="/ai/eval-datasets"
        label={t('sections.datasets')}
        columns={columns}
        to={(d) => `/ai/quality/datasets/${d.id}`}
        name={(d) => d.name}
        empty={{ title: t('dataset.empty'), text: t('dataset.emptyText'), action: add }}
      />
      {adding && <DatasetDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function DatasetDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['quality', 'shell']);
  const navigate = useNavigate();
  const businesses = useGet('/ai/businesses', { query: { limit: 100 } }).data?.data ?? [];
  const form = useForm({
    initialValues: { name: '', agent: 'SELLER', business_id: '' as string | null },
    validate: { name: (v) => (v.trim() ? null : t('form.nameMissing')) },
  });
  const create = useAction('post', '/ai/eval-datasets', {
    form,
    stale: ['/ai/eval-datasets'],
    done: t('dataset.added'),
    then: (d) => void navigate({ to: `/ai/quality/datasets/${d.id}` }),
  });
  const business = form.values.business_id || businesses[0]?.id || null;
  return (
    <Dialog onClose={onClose} title={t('dataset.add')}>
      <form
        onSubmit={form.onSubmit((v) => void create.run({ body: { name: v.name.trim(), agent: v.agent, business_id: business } as never }))}
        noValidate
      >
        <Stack>
          <TextInput label={t('column.name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
          <Select
            label={t('dataset.agent')}
            description={t('dataset.agentHint')}
            allowDeselect={false}
            data={(['SELLER', 'DECISION'] as const).map((value) => ({ value, label: t(`dataset.agents.${value}`) }))}
            {...form.getInputProps('agent')}
          />
          <Select
            label={t('column.business')}
            description={t('dataset.businessHint')}
            data={businesses.map((b) => ({ value: b.id, label: b.name }))}
            {...form.getInputProps('business_id')}
            value={business}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('dataset.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
