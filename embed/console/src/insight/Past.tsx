import { Alert, Button, Group, Paper, Progress, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { codeWord, Confirm, dayOf, Failed, Page, Status, useAction, useCan, useFormat, useGet, When } from '@shell';
import { money } from '@kit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InsightSections } from './sections';
import { channels, type Run, whole } from './types';

/** Analyses conversations of the past: what that costs first. */
export default function Past() {
  const { t } = useTranslation('insight');
  const may = useCan()('ai:manage');
  const { data: run, error, refetch } = useGet('/ai/insights/backfill', {});
  const busy = run?.status === 'QUEUED' || run?.status === 'RUNNING';
  return (
    <Page title={t('sections.past')} lead={t('past.lead')}>
      <InsightSections />
      {error && !run && <Failed error={error} onAgain={() => void refetch()} />}
      {!run && !error && <Skeleton h={200} />}
      {run && (
        <Stack>
          {run.id && <Last run={run} may={may} />}
          {may && !busy && <Ask />}
          {!may && !run.id && <Text c="dimmed">{t('past.none')}</Text>}
        </Stack>
      )}
    </Page>
  );
}

const colors = { QUEUED: 'blue', RUNNING: 'blue', DONE: 'teal', FAILED: 'red', CANCELLED: 'gray' } as const;

/** The last run, and how far it is. */
function Last({ run: r, may }: { run: Run; may: boolean }) {
  const { t } = useTranslation('insight');
  const f = useFormat();
  const [asked, setAsked] = useState(false);
  const cancel = useAction('post', '/ai/insights/backfill/cancel', {
    stale: ['/ai/insights/backfill'],
    done: t('past.cancelled'),
    then: () => setAsked(false),
  });
  const status = r.status ?? 'QUEUED';
  const busy = status === 'QUEUED' || status === 'RUNNING';
  return (
    <Paper component="section" aria-label={t('past.last')} data-run={status}>
      <Group justify="space-between" mb="sm">
        <Group gap="xs">
          <Title order={2}>{t('past.last')}</Title>
          <Status state={status} label={t(`past.state.${status}`)} color={colors[status]} />
        </Group>
        {busy && may && (
          <Button variant="default" onClick={() => setAsked(true)}>
            {t('past.cancel')}
          </Button>
        )}
      </Group>
      <Progress value={r.total > 0 ? (r.processed / r.total) * 100 : 0} aria-label={t('past.progress')} mb="xs" />
      <Text size="sm" role="status">
        {t('past.counts', {
          processed: f.number(r.processed),
          total: f.number(r.total),
          analyzed: f.number(r.analyzed),
          skipped: f.number(r.skipped),
        })}
      </Text>
      <Text size="sm" c="dimmed">
        {t('past.cost', { cost: money(r.cost_usd, f.locale), estimate: money(r.estimated_cost_usd, f.locale) })}
        {r.source === 'IMPORT' && ` · ${t('past.import', { name: r.account?.name ?? '–' })}`} · <When at={r.finished_at ?? r.started_at} />
      </Text>
      {r.error_code && (
        <Alert color="red" mt="sm">
          {t(r.error_code === 'budget_exceeded' ? 'past.budget' : 'past.failed', { reason: codeWord(r.error_code) })}
        </Alert>
      )}
      {asked && (
        <Confirm
          title={t('past.cancelTitle')}
          consequence={t('past.cancelConsequence')}
          act={t('past.cancel')}
          pending={cancel.pending}
          onConfirm={() => void cancel.run({ body: {} as never })}
          onClose={() => setAsked(false)}
        />
      )}
    </Paper>
  );
}

/** Which conversations, what they would cost, and the start. */
function Ask() {
  const { t } = useTranslation('insight');
  const f = useFormat();
  const { data } = useGet('/ai/businesses', { query: whole });
  const [price, setPrice] = useState<{ of: string; run: Run }>();
  const form = useForm({
    initialValues: {
      from: dayOf(Date.now() - 29 * 86_400_000),
      to: dayOf(Date.now() + 86_400_000),
      business: null as string | null,
      channel: null as string | null,
    },
  });
  const body = {
    from: form.values.from,
    to: form.values.to,
    business_id: form.values.business,
    channel: form.values.channel as (typeof channels)[number] | null,
  };
  const of = JSON.stringify(body);
  const estimate = useAction('post', '/ai/insights/backfill', { form, then: (run) => setPrice({ of, run }) });
  const start = useAction('post', '/ai/insights/backfill', {
    form,
    stale: ['/ai/insights/backfill'],
    done: t('past.started'),
    then: () => setPrice(undefined),
  });
  const known = price?.of === of ? price.run : undefined;
  return (
    <Paper component="section" aria-label={t('past.ask')}>
      <Title order={2} mb="sm">
        {t('past.ask')}
      </Title>
      <form noValidate onSubmit={form.onSubmit(() => void estimate.run({ body: { ...body, dry_run: true } }))}>
        <Stack>
          <Group align="flex-start">
            <TextInput type="date" label={t('past.from')} {...form.getInputProps('from')} />
            <TextInput type="date" label={t('past.to')} {...form.getInputProps('to')} />
            <Select
              label={t('board.business')}
              placeholder={t('board.everyBusiness')}
              clearable
              data={(data?.data ?? []).map((b) => ({ value: b.id, label: b.name }))}
              {...form.getInputProps('business')}
            />
            <Select
              label={t('board.channel')}
              placeholder={t('board.everyChannel')}
              clearable
              data={channels.map((value) => ({ value, label: t(`channel.${value}`) }))}
              {...form.getInputProps('channel')}
            />
          </Group>
          <Group>
            <Button type="submit" variant={known ? 'default' : 'filled'} loading={estimate.pending}>
              {t('past.price')}
            </Button>
            {known && (
              <>
                <Text role="status" data-price>
                  {t('past.priceIs', { count: known.total, price: money(known.estimated_cost_usd, f.locale) })}
                </Text>
                <Button disabled={known.total === 0} loading={start.pending} onClick={() => void start.run({ body })}>
                  {t('past.start')}
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
