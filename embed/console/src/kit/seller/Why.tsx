import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Empty, Failed, Link, NamedThing, Status, useFormat, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import { money } from '../money';
import type { Execution, Step } from './turn';
import { Part, WhyParts } from './WhyParts';
import classes from './why.module.css';

/** Why the AI did what it did in one turn: what it understood, read and remembered, what the checks said, what it cost. */
export default function Why({ execution: id }: { execution: string }) {
  const { t } = useTranslation('kit');
  const { data: e, error, refetch } = useGet('/ai/executions/{id}', { path: { id } }, { while: (x) => x.status === 'RUNNING' });
  if (error?.status === 404) return <Empty title={t('why.gone')} />;
  if (!e) return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={320} />;
  return (
    <Stack gap="lg" data-why={e.id}>
      <Head of={e} />
      <WhyParts of={e} />
      <Part title={t('why.steps')}>
        <ol className={classes.list}>
          {(e.steps ?? []).map((s) => (
            <li key={s.id}>
              <StepLine of={s} />
            </li>
          ))}
        </ol>
      </Part>
      <Anchor component={Link} to={`/ai/executions/${e.id}`} size="sm">
        {t('why.page')}
      </Anchor>
    </Stack>
  );
}

function Head({ of: e }: { of: Execution }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>
          {e.final_action ? t(`why.action.${e.final_action}`) : t(e.status === 'RUNNING' ? 'why.running' : 'why.stepFailed')}
        </Text>
        {e.demo && <Status state="WARN" label={t('why.demo')} />}
      </Group>
      <Text size="sm" c="dimmed">
        {t('why.numbers', {
          cost: money(e.cost_usd, f.locale),
          time: e.latency_ms === null ? '–' : seconds(t, f, e.latency_ms),
          tokens: f.number(e.tokens_in + e.tokens_out),
        })}
      </Text>
    </div>
  );
}

type T = ReturnType<typeof useTranslation<'kit'>>['t'];

/** Time that a machine took. */
const seconds = (t: T, f: ReturnType<typeof useFormat>, ms: number): string => t('why.seconds', { n: f.number(Math.round(ms / 10) / 100) });

function StepLine({ of: s }: { of: Step }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  const took = (ms: number) => seconds(t, f, ms);
  const facts = [
    s.model,
    s.status !== 'SKIPPED' && took(s.latency_ms),
    s.cost_usd > 0 && money(s.cost_usd, f.locale),
    s.queued_ms !== null && s.queued_ms > 0 && t('why.queued', { time: took(s.queued_ms) }),
    s.wait_ms !== null && t('why.waited', { time: took(s.wait_ms) }),
  ].filter(Boolean);
  return (
    <>
      <Group gap={6}>
        <Text size="sm">{t(`why.step.${s.kind}`)}</Text>
        {s.repair && <Status state="WARN" label={t('why.repair')} />}
        {s.status !== 'SUCCEEDED' && <Status state={s.status} label={t(s.status === 'FAILED' ? 'why.stepFailed' : 'why.stepSkipped')} />}
      </Group>
      <Text size="xs" c="dimmed" component="div">
        {s.provider && <NamedThing of={s.provider} />} {facts.join(' · ')}
      </Text>
    </>
  );
}
