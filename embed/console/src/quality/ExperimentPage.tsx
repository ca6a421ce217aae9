import { Alert, Button, Group, NumberInput, Paper, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Above, Confirm, Dialog, Failed, NotFound, Page, Status, Tag, useAction, useCan, useFormat, useGet } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useVersionName, useVersions } from './EvaluationDialog';
import { Interval } from './Interval';
import { Share } from './parts';
import type { Experiment } from './types';

/** One experiment: its variants, how each does, and whether that says anything yet. */
export default function ExperimentPage() {
  const { t } = useTranslation('quality');
  const { id = '' } = useParams({ strict: false });
  const { data: e, error, refetch } = useGet('/ai/experiments/{id}', { path: { id } });
  const above: Above[] = [{ label: t('sections.experiments'), to: '/ai/quality/experiments' }];
  if (error?.status === 404) return <NotFound />;
  if (!e)
    return (
      <Page title={t('experiment.one')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page
      title={e.name}
      lead={`${e.business?.name ?? ''} · ${t(`metric.${e.metric}`)}`}
      above={above}
      badge={<Status state={e.status} label={t(`experimentState.${e.status}`)} />}
      actions={<Acts of={e} />}
    >
      {e.status === 'RUNNING' && (
        <Alert color={e.too_early ? 'yellow' : 'green'} mb="md" title={t(e.too_early ? 'experiment.tooEarly' : 'experiment.leads')}>
          {e.too_early
            ? t(`tooEarly.${e.too_early}`)
            : t('experiment.leader', { name: e.variants.find((v) => v.id === e.leader_variant_id)?.name })}
        </Alert>
      )}
      <Variants of={e} />
    </Page>
  );
}

function Variants({ of: e }: { of: Experiment }) {
  const { t } = useTranslation('quality');
  const f = useFormat();
  const named = useVersionName();
  const may = useCan()('ai:manage') && e.status === 'RUNNING';
  const [chosen, setChosen] = useState<string>();
  const win = useAction('post', '/ai/experiments/{id}/winner', {
    stale: ['/ai/experiments', '/ai/prompts'],
    done: t('experiment.won'),
    then: () => setChosen(undefined),
  });
  const sum = e.variants.reduce((n, v) => n + v.weight, 0);
  const winner = e.variants.find((v) => v.id === chosen);
  if (e.variants.length === 0) return <Text c="dimmed">{t('experiment.noVariants')}</Text>;
  return (
    <Stack>
      {e.variants.map((v) => {
        const r = e.results.find((x) => x.variant_id === v.id);
        return (
          <Paper key={v.id} component="section" data-variant={v.name} aria-label={v.name}>
            <Group justify="space-between">
              <Group gap={8}>
                <Title order={2}>{v.name}</Title>
                {e.winner_variant_id === v.id && <Status state="ACCEPTED" label={t('experiment.winner')} />}
                <Tag>{t('experiment.share', { share: f.number(Math.round((100 * v.weight) / Math.max(sum, 1))) })}</Tag>
              </Group>
              {may && (
                <Button variant="default" size="compact-sm" onClick={() => setChosen(v.id)}>
                  {t('experiment.choose')}
                </Button>
              )}
            </Group>
            <Text size="sm" c="dimmed">
              {v.prompt_version ? named(v.prompt_version) : t('evaluation.activeVersion')}
            </Text>
            <Group gap="lg" mt="xs" align="flex-end">
              <Text fz={24} fw={650} component="div">
                <Share value={r?.value} digits={1} />
              </Text>
              <Text size="sm" c="dimmed">
                {t('experiment.counted', { counted: r?.counted ?? 0, count: r?.conversations ?? 0 })}
              </Text>
            </Group>
            <Interval value={r?.value ?? null} interval={r?.interval_95 ?? null} label={t('experiment.interval')} />
          </Paper>
        );
      })}
      {winner && (
        <Confirm
          title={t('experiment.chooseTitle', { name: winner.name })}
          consequence={
            <>
              {e.too_early && <Text mb="xs">{t(`tooEarly.${e.too_early}`)}</Text>}
              {t('experiment.chooseConsequence')}
            </>
          }
          act={t('experiment.choose')}
          pending={win.pending}
          onConfirm={() => void win.run({ path: { id: e.id }, body: { variant_id: winner.id, activate: true } })}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Stack>
  );
}

function Acts({ of: e }: { of: Experiment }) {
  const { t } = useTranslation('quality');
  const may = useCan()('ai:manage');
  const [open, setOpen] = useState<'variant' | 'cancel'>();
  const cancel = useAction('post', '/ai/experiments/{id}/cancel', {
    stale: ['/ai/experiments', '/ai/prompts'],
    then: () => setOpen(undefined),
  });
  if (!may || (e.status !== 'DRAFT' && e.status !== 'RUNNING')) return null;
  return (
    <Group>
      <Button variant="default" onClick={() => setOpen('cancel')}>
        {t('experiment.cancel')}
      </Button>
      <Button onClick={() => setOpen('variant')}>{t('experiment.addVariant')}</Button>
      {open === 'variant' && <VariantDialog of={e} onClose={() => setOpen(undefined)} />}
      {open === 'cancel' && (
        <Confirm
          title={t('experiment.cancelTitle')}
          consequence={t('experiment.cancelConsequence')}
          act={t('experiment.cancel')}
          pending={cancel.pending}
          onConfirm={() => void cancel.run({ path: { id: e.id } })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Group>
  );
}

function VariantDialog({ of: e, onClose }: { of: Experiment; onClose: () => void }) {
  const { t } = useTranslation(['quality', 'shell']);
  const versions = useVersions();
  const form = useForm({
    initialValues: { name: '', prompt_version: '' as string | null, weight: 1 as number | string },
    validate: { name: (v) => (v.trim() ? null : t('form.nameMissing')) },
  });
  const add = useAction('post', '/ai/experiments/{id}/variants', { form, stale: ['/ai/experiments', '/ai/prompts'], then: onClose });
  const save = form.onSubmit(
    (v) =>
      void add.run({
        path: { id: e.id },
        body: { name: v.name.trim(), prompt_version: v.prompt_version || null, weight: Number(v.weight) || 1 },
      }),
  );
  return (
    <Dialog onClose={onClose} title={t('experiment.addVariant')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label={t('column.name')} maxLength={80} data-autofocus {...form.getInputProps('name')} />
          <Select
            label={t('evaluation.version')}
            placeholder={t('evaluation.activeVersion')}
            clearable
            data={versions}
            {...form.getInputProps('prompt_version')}
          />
          <NumberInput
            label={t('experiment.weight')}
            description={t('experiment.weightHint')}
            min={1}
            max={1000000}
            allowDecimal={false}
            {...form.getInputProps('weight')}
          />
          {e.variants.length === 1 && <Text size="sm">{t('experiment.starts')}</Text>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={add.pending}>
              {t('experiment.addVariant')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
