import { Alert, Code, DataList, Grid, Group, Paper, Skeleton, Spoiler, Stack, Text, Timeline, Title } from '@mantine/core';
import { WhyParts } from '@kit';
import { type Above, Copy, Failed, NamedThing, NotFound, Num, Page, Status, Tag, useCan, useGet, When } from '@shell';
import { FeedbackButton } from '@kit';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Outcome, Took } from './Executions';
import { Demo, Money } from './parts';
import type { Step, WholeExecution } from './types';
import { reasonWord } from './words';

/** One run: what it cost, and its steps in their order with what was sent and answered. */
export default function ExecutionPage() {
  const { t } = useTranslation('engine');
  const { id = '' } = useParams({ strict: false });
  const { data: e, error, refetch } = useGet('/ai/executions/{id}', { path: { id } }, { while: (x) => x.status === 'RUNNING' });
  const above: Above[] = [{ label: t('sections.executions'), to: '/ai/executions' }];
  if (error?.status === 404) return <NotFound />;
  if (!e)
    return (
      <Page title={t('execution.one')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page
      title={t(`agent.${e.agent}`)}
      above={above}
      actions={e.agent === 'SELLER' && e.mode !== 'EVAL' && <FeedbackButton target="EXECUTION" id={e.id} />}
      badge={
        <Group gap={6}>
          <Outcome execution={{ ...e, error_code: null }} />
          {e.demo && <Demo />}
        </Group>
      }
    >
      {e.error_code && (
        <Alert color="red" mb="md" title={t('execution.failed')}>
          {reasonWord(e.error_code)}
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Details execution={e} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {e.decision && (
              <Paper>
                <Stack gap="lg">
                  <WhyParts of={e} />
                </Stack>
              </Paper>
            )}
            <Steps execution={e} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Details({ execution: e }: { execution: WholeExecution }) {
  const { t } = useTranslation('engine');
  const line = (label: string, value: React.ReactNode) => (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value}</DataList.ItemValue>
    </DataList.Item>
  );
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('execution.details')}
      </Title>
      <DataList orientation="vertical">
        {line(t('column.mode'), t(`mode.${e.mode}`))}
        {line(t('column.provider'), <NamedThing of={e.provider} />)}
        {line(t('test.model'), e.model ?? '–')}
        {line(t('execution.tokensIn'), <Num value={e.tokens_in} />)}
        {line(t('execution.tokensOut'), <Num value={e.tokens_out} />)}
        {line(
          t('column.cost'),
          <>
            <Money usd={e.cost_usd} /> {e.estimated && <Status state="WARN" label={t('execution.estimated')} />}
          </>,
        )}
        {e.status === 'RUNNING' && line(t('execution.reserved'), <Money usd={e.lease_usd} />)}
        {line(t('column.took'), <Took ms={e.latency_ms} />)}
        {line(t('column.at'), <When at={e.started_at} exact />)}
        {line(t('provider.id'), <Copy value={e.id} small />)}
      </DataList>
    </Paper>
  );
}

function Steps({ execution: e }: { execution: WholeExecution }) {
  const { t } = useTranslation('engine');
  const can = useCan();
  const steps = e.steps ?? [];
  return (
    <Paper>
      <Title order={2}>{t('execution.steps')}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {t(can('ai:manage') ? 'execution.stepsLead' : 'execution.sealed')}
      </Text>
      {steps.length === 0 ? (
        <Text size="sm">{t('execution.noSteps')}</Text>
      ) : (
        <Timeline bulletSize={22} lineWidth={2} component="ol" py={0} pe={0} m={0} style={{ listStyle: 'none' }}>
          {steps.map((s) => (
            <Timeline.Item key={s.id} component="li" title={<StepTitle step={s} of={e.agent} />} data-step={s.kind}>
              <StepBody step={s} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Paper>
  );
}

function StepTitle({ step: s, of }: { step: Step; of: WholeExecution['agent'] }) {
  const { t } = useTranslation('engine');
  return (
    <Group gap={6}>
      {t(`step.${s.kind}`)}
      <Status state={s.status} label={t(`stepState.${s.status}`)} />
      {s.agent !== of && <Tag>{t(`agent.${s.agent}`)}</Tag>}
      {s.repair && <Status state="WARN" label={t('execution.repair')} />}
    </Group>
  );
}

function StepBody({ step: s }: { step: Step }) {
  const { t } = useTranslation('engine');
  return (
    <>
      <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        {s.provider && <NamedThing of={s.provider} />}
        {s.model && ` · ${s.model}`}
        {s.tokens_in + s.tokens_out > 0 && ` · ${t('execution.tokens', { in: s.tokens_in, out: s.tokens_out })}`}
        {s.status !== 'SKIPPED' && (
          <>
            {' · '}
            <Took ms={s.latency_ms} /> · <Money usd={s.cost_usd} />
          </>
        )}
      </Text>
      {(s.reason || s.error_code) && (
        <Text size="sm" mt={4}>
          {reasonWord((s.reason || s.error_code)!)}
        </Text>
      )}
      {s.queued_ms !== null && (
        <Text size="sm" mt={4}>
          {t('execution.queued')} <Took ms={s.queued_ms} />
        </Text>
      )}
      {s.wait_ms !== null && (
        <Text size="sm" mt={4}>
          {t('execution.wait')} <Took ms={s.wait_ms} />
        </Text>
      )}
      <Sealed label={t('execution.prompt')} text={s.prompt} />
      <Sealed label={t('execution.answer')} text={s.answer} />
    </>
  );
}

/** A text that is stored sealed; JSON is laid out. */
function Sealed({ label, text }: { label: string; text: string | null }) {
  const { t } = useTranslation('engine');
  if (!text) return null;
  return (
    <div>
      <Text size="sm" fw={600} mt="xs" mb={4}>
        {label}
      </Text>
      <Spoiler
        maxHeight={180}
        showLabel={t('execution.more')}
        hideLabel={t('execution.less')}
        styles={{ control: { fontSize: 'var(--mantine-font-size-sm)' } }}
      >
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {laidOut(text)}
        </Code>
      </Spoiler>
    </div>
  );
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
