import { Button, Progress, Text } from '@mantine/core';
import { type Column, type Filter, List, NamedThing, Page, Status, useCan, When } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EvaluationDialog, useVersionName, useVersions } from './EvaluationDialog';
import { QualitySections, Share } from './parts';
import { type Evaluation, evaluationStatuses } from './types';

/** Runs of the seller over datasets. */
export default function Evaluations() {
  const { t } = useTranslation('quality');
  const can = useCan();
  const named = useVersionName();
  const versions = useVersions();
  const [adding, setAdding] = useState(false);
  const columns: Column<Evaluation>[] = [
    {
      key: 'what',
      title: t('evaluation.version'),
      render: (e) => (
        <>
          {e.name ?? named(e.prompt_version)}
          <Text span size="sm" c="dimmed" display="block" fw={400}>
            {e.dataset && <NamedThing of={e.dataset} />}
          </Text>
        </>
      ),
    },
    {
      key: 'status',
      title: t('column.state'),
      render: (e) => (
        <>
          <Status state={e.status} label={t(`evaluationState.${e.status}`)} />
          {e.status === 'RUNNING' && (
            <Progress
              mt={4}
              size="xs"
              value={(100 * e.progress.done) / Math.max(e.progress.total, 1)}
              aria-label={t('evaluation.progress')}
            />
          )}
        </>
      ),
    },
    { key: 'passed', title: t('evaluation.passRate'), align: 'right', render: (e) => <Share value={e.pass_rate} /> },
    { key: 'score', title: t('evaluation.score'), align: 'right', from: 'md', render: (e) => <Share value={e.score} /> },
    { key: 'at', title: t('column.at'), render: (e) => <When at={e.created_at} /> },
  ];
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.state'),
        options: evaluationStatuses.map((value) => ({ value, label: t(`evaluationState.${value}`) })),
      },
      { kind: 'choice', key: 'prompt_version', label: t('evaluation.version'), options: versions, searchable: true },
    ],
    [t, versions],
  );
  const add = can('ai:manage') && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('evaluation.add')}
    </Button>
  );
  return (
    <Page title={t('sections.evaluations')} lead={t('evaluation.lead')} actions={add}>
      <QualitySections />
      <List
        path="/ai/evaluations"
        label={t('sections.evaluations')}
        columns={columns}
        filters={filters}
        to={(e) => `/ai/quality/evaluations/${e.id}`}
        name={(e) => e.name ?? named(e.prompt_version)}
        empty={{ title: t('evaluation.empty'), text: t('evaluation.emptyText'), action: add }}
      />
      {adding && <EvaluationDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
