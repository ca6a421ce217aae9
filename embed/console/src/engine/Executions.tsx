import { Button, Text } from '@mantine/core';
import { type Column, type Filter, Link, List, NamedThing, Num, Page, Status, useCan, useFormat, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Demo, Money } from './parts';
import { EngineSections } from './sections';
import { agents, type Execution, modes, statuses } from './types';
import { reasonWord } from './words';

/** Every run of the AI, one line each, newest first. */
export default function Executions() {
  const { t } = useTranslation('engine');
  const can = useCan();
  const columns = useMemo<Column<Execution>[]>(
    () => [
      {
        key: 'agent',
        title: t('column.agent'),
        render: (e) => (
          <>
            {t(`agent.${e.agent}`)} {e.demo && <Demo />}
            <Text span size="sm" c="dimmed" display="block" fw={400}>
              {t(`mode.${e.mode}`)}
            </Text>
          </>
        ),
      },
      { key: 'state', title: t('column.state'), render: (e) => <Outcome execution={e} /> },
      {
        key: 'provider',
        title: t('column.provider'),
        from: 'md',
        render: (e) => (
          <>
            <NamedThing of={e.provider} />
            {e.model && (
              <Text span size="sm" c="dimmed" display="block">
                {e.model}
              </Text>
            )}
          </>
        ),
      },
      { key: 'tokens', title: t('column.tokens'), from: 'lg', align: 'right', render: (e) => <Num value={e.tokens_in + e.tokens_out} /> },
      { key: 'cost', title: t('column.cost'), align: 'right', render: (e) => <Money usd={e.cost_usd} /> },
      { key: 'took', title: t('column.took'), from: 'md', align: 'right', render: (e) => <Took ms={e.latency_ms} /> },
      { key: 'at', title: t('column.at'), render: (e) => <When at={e.started_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      { kind: 'choice', key: 'status', label: t('column.state'), options: statuses.map((value) => ({ value, label: t(`run.${value}`) })) },
      { kind: 'choice', key: 'agent', label: t('column.agent'), options: agents.map((value) => ({ value, label: t(`agent.${value}`) })) },
      { kind: 'choice', key: 'mode', label: t('column.mode'), options: modes.map((value) => ({ value, label: t(`mode.${value}`) })) },
      { kind: 'days', from: 'from', to: 'to', label: t('column.at') },
    ],
    [t],
  );
  const compose = can('campaigns:read') && (
    <Button component={Link} to="/templates" variant="default">
      {t('execution.toTemplates')}
    </Button>
  );
  return (
    <Page title={t('sections.executions')} lead={t('execution.lead')}>
      <EngineSections />
      <List
        path="/ai/executions"
        label={t('sections.executions')}
        columns={columns}
        filters={filters}
        to={(e) => `/ai/executions/${e.id}`}
        name={(e) => t(`agent.${e.agent}`)}
        empty={{ title: t('execution.empty'), text: t('execution.emptyText'), action: compose }}
      />
    </Page>
  );
}

/** What became of a run, and why it failed. */
export function Outcome({ execution: e }: { execution: Pick<Execution, 'status' | 'error_code' | 'final_action'> }) {
  const { t } = useTranslation('engine');
  return (
    <div>
      <Status state={e.status} label={t(`run.${e.status}`)} />
      {(e.error_code || e.final_action) && (
        <Text size="xs" c="dimmed" mt={2} maw={300}>
          {e.error_code ? reasonWord(e.error_code) : e.final_action && t(`action.${e.final_action}`)}
        </Text>
      )}
    </div>
  );
}

/** A time that something took. */
export function Took({ ms }: { ms: number | null }) {
  const { t } = useTranslation('engine');
  const f = useFormat();
  return ms === null ? '–' : t('ms', { ms: f.number(ms) });
}
