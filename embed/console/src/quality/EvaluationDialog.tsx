import { Button, Checkbox, Group, Select, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction, useGet, useNavigate } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Dataset, graders } from './types';

const usual = ['CONTAINS', 'LANGUAGE', 'VALIDATORS', 'ACTION'];

/** Prepares an evaluation: which version, on what, judged how. */
export function EvaluationDialog({ dataset, onClose }: { dataset?: Dataset; onClose: () => void }) {
  const { t } = useTranslation(['quality', 'shell']);
  const navigate = useNavigate();
  const sets = useGet('/ai/eval-datasets', { query: { limit: 100 } }).data?.data ?? [];
  const businesses = useGet('/ai/businesses', { query: { limit: 100 } }).data?.data ?? [];
  const form = useForm({
    initialValues: { dataset_id: dataset?.id ?? '', business_id: '' as string | null, prompt_version: '' as string | null, graders: usual },
    validate: {
      dataset_id: (v) => (v ? null : t('evaluation.datasetMissing')),
      graders: (v) => (v.length > 0 ? null : t('evaluation.gradersMissing')),
    },
  });
  const create = useAction('post', '/ai/evaluations', {
    form,
    stale: ['/ai/evaluations', '/ai/prompts'],
    then: (e) => void navigate({ to: `/ai/quality/evaluations/${e.id}` }),
  });
  const chosen = sets.find((d) => d.id === form.values.dataset_id) ?? dataset;
  const versions = useVersions(chosen?.agent);
  const save = form.onSubmit((v) => {
    const body = {
      dataset_id: v.dataset_id,
      business_id: chosen?.business_id ? null : v.business_id || businesses[0]?.id || null,
      prompt_version: v.prompt_version || null,
      graders: v.graders,
    };
    void create.run({ body: body as never });
  });
  return (
    <Dialog onClose={onClose} title={t('evaluation.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <Select
            label={t('dataset.one')}
            allowDeselect={false}
            data={sets.map((d) => ({ value: d.id, label: d.name }))}
            {...form.getInputProps('dataset_id')}
          />
          {chosen && !chosen.business_id && (
            <Select
              label={t('column.business')}
              data={businesses.map((b) => ({ value: b.id, label: b.name }))}
              {...form.getInputProps('business_id')}
            />
          )}
          <Select
            label={t('evaluation.version')}
            placeholder={t('evaluation.activeVersion')}
            clearable
            data={versions}
            {...form.getInputProps('prompt_version')}
          />
          <Checkbox.Group label={t('evaluation.graders')} {...form.getInputProps('graders')}>
            <Stack gap={6} mt={6}>
              {graders.map((g) => (
                <Checkbox key={g} value={g} label={t(`grader.${g}`)} description={t(`graderHint.${g}`)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('evaluation.prepare')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The versions of the prompts of an agent, the seller's or of all, as choices; the newest of each prompt first. */
export function useVersions(of: 'SELLER' | 'DECISION' | 'ALL' = 'SELLER'): { value: string; label: string }[] {
  const { t } = useTranslation('quality');
  const prompts = useGet('/ai/prompts', { query: { ...(of !== 'ALL' && { agent: of }), limit: 100 } }).data?.data;
  return useMemo(
    () =>
      (prompts ?? []).flatMap((p) =>
        Array.from({ length: Math.min(p.versions_count, 20) }, (_, i) => p.versions_count - i).map((n) => ({
          value: `${p.id}/${n}`,
          label: `${p.name} · ${t('versionN', { n })}${p.active_version === n ? ` · ${t('inUse')}` : ''}`,
        })),
      ),
    [prompts, t],
  );
}

/** The name of a version: that of its prompt and its number; the default prompt without one. */
export function useVersionName(): (version: string | null) => string {
  const { t } = useTranslation('quality');
  const versions = useVersions('ALL');
  return (version) => (version ? (versions.find((v) => v.value === version)?.label ?? version) : t('defaultPrompt'));
}
