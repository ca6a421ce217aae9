import { Alert, Button, Group, Paper, Progress, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import { money } from '@kit';
import { type Above, Confirm, Failed, NamedThing, NotFound, Page, type Schema, Status, useAction, useCan, useFormat, useGet } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useVersionName } from './EvaluationDialog';
import { Share } from './parts';
import { Results } from './Results';
import type { Evaluation } from './types';

/** One evaluation: how it went, and what failed first, beside what customers get now. */
export default function EvaluationPage() {
  const { t } = useTranslation('quality');
  const { id = '' } = useParams({ strict: false });
  const named = useVersionName();
  const { data: e, error, refetch } = useGet('/ai/evaluations/{id}', { path: { id } });
  const above: Above[] = [{ label: t('sections.evaluations'), to: '/ai/quality/evaluations' }];
  if (error?.status === 404) return <NotFound />;
  if (!e)
    return (
      <Page title={t('evaluation.one')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page
      title={e.name ?? named(e.prompt_version)}
      lead={e.dataset && <NamedThing of={e.dataset} />}
      above={above}
      actions={<Acts of={e} />}
      badge={
        <Group gap={6}>
          <Status state={e.status} label={t(`evaluationState.${e.status}`)} />
          {e.demo && <Status state="WARN" label={t('demo')} />}
        </Group>
      }
    >
      {e.error_code && (
        <Alert color="red" mb="md" title={t('evaluation.failed')}>
          {t(`evaluationError.${e.error_code}` as never, { defaultValue: e.error_code }) as string}
        </Alert>
      )}
      {(e.status === 'RUNNING' || e.status === 'QUEUED') && (
        <Paper mb="md">
          <Text size="sm" mb={4}>
            {t('evaluation.done', { done: e.progress.done, total: e.progress.total })}
          </Text>
          <Progress value={(100 * e.progress.done) / Math.max(e.progress.total, 1)} aria-label={t('evaluation.progress')} />
        </Paper>
      )}
      <Figures of={e} />
      {e.progress.done > 0 && <Results of={e} />}
    </Page>
  );
}

type Estimate = Schema<'EvaluationEstimate'>;

/** Running says what it costs before it begins. */
function Acts({ of: e }: { of: Evaluation }) {
  const { t } = useTranslation('quality');
  const f = useFormat();
  const may = useCan()('ai:manage');
  const [asked, setAsked] = useState<Estimate>();
  const stale = ['/ai/evaluations'];
  const ask = useAction('post', '/ai/evaluations/{id}/run', { then: (s) => setAsked(s.estimate) });
  const run = useAction('post', '/ai/evaluations/{id}/run', { stale, then: () => setAsked(undefined) });
  const cancel = useAction('post', '/ai/evaluations/{id}/cancel', { stale, done: t('evaluation.cancelled') });
  if (!may) return null;
  return (
    <Group>
      {(e.status === 'DRAFT' || e.status === 'FAILED') && (
        <Button loading={ask.pending} onClick={() => void ask.run({ path: { id: e.id }, body: { dry_run: true } })}>
          {t(e.status === 'FAILED' ? 'evaluation.goOn' : 'evaluation.run')}
        </Button>
      )}
      {(e.status === 'QUEUED' || e.status === 'RUNNING') && (
        <Button variant="default" loading={cancel.pending} onClick={() => void cancel.run({ path: { id: e.id } })}>
          {t('evaluation.cancel')}
        </Button>
      )}
      {asked && (
        <Confirm
          title={t('evaluation.runTitle')}
          consequence={t('evaluation.cost', {
            items: f.number(asked.items),
            calls: f.number(asked.calls),
            cost: money(asked.most_cost_usd, f.locale),
          })}
          act={t('evaluation.run')}
          pending={run.pending}
          onConfirm={() => void run.run({ path: { id: e.id }, body: {} as never })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Group>
  );
}

function Figures({ of: e }: { of: Evaluation }) {
  const { t } = useTranslation('quality');
  const f = useFormat();
  const by = Object.entries(e.by_grader ?? {});
  const figure = (label: string, value: React.ReactNode) => (
    <Paper>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={24} fw={650} component="div">
        {value}
      </Text>
    </Paper>
  );
  return (
    <Stack mb="md">
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {figure(t('evaluation.passRate'), <Share value={e.pass_rate} />)}
        {figure(t('evaluation.score'), <Share value={e.score} />)}
        {figure(t('column.items'), `${f.number(e.progress.passed)} / ${f.number(e.progress.done)}`)}
        {figure(t('evaluation.spent'), money(e.cost_usd, f.locale))}
      </SimpleGrid>
      {by.length > 0 && (
        <Paper p={0} style={{ overflowX: 'auto' }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('evaluation.grader')}</Table.Th>
                <Table.Th ta="right">{t('column.items')}</Table.Th>
                <Table.Th ta="right">{t('evaluation.passRate')}</Table.Th>
                <Table.Th ta="right">{t('evaluation.score')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {by.map(([g, x]) => (
                <Table.Tr key={g} data-grader={g}>
                  <Table.Td>{t(`grader.${g}` as never) as string}</Table.Td>
                  <Table.Td ta="right">{f.number(x.items)}</Table.Td>
                  <Table.Td ta="right">
                    <Share value={x.pass_rate} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Share value={x.score} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {e.judge && (
        <Alert color={e.judge.reliable ? 'green' : 'yellow'} title={t('judge.title')}>
          {t(e.judge.void ? 'judge.void' : e.judge.reliable ? 'judge.reliable' : 'judge.unreliable')}{' '}
          {t('judge.known', { right: e.judge.known_right, asked: e.judge.known_asked })}{' '}
          {e.judge.kappa === null
            ? t('judge.noKappa', { people: e.judge.people })
            : t('judge.kappa', { kappa: f.number(Math.round(e.judge.kappa * 100) / 100), people: e.judge.people })}
        </Alert>
      )}
    </Stack>
  );
}
