import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Schema, SideDialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';

type Model = Schema<'EngineShownModel'>;
type Number = number | '';

const kinds = ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'OPENAI_COMPATIBLE'] as const;
const orNull = (v: Number) => (v === '' ? null : v);

/** Describes a model for all organizations, or changes its price and whether chains may take it. */
export function AIModelForm({ of: m, onClose }: { of?: Model; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'shell']);
  const form = useForm({
    initialValues: {
      provider_kind: (m?.provider_kind ?? 'OPENAI') as (typeof kinds)[number],
      model: m?.model ?? '',
      label: m?.label ?? '',
      context_tokens: (m?.context_tokens ?? '') as Number,
      max_output_tokens: (m?.max_output_tokens ?? '') as Number,
      input: (m?.price?.input_per_million_usd ?? '') as Number,
      output: (m?.price?.output_per_million_usd ?? '') as Number,
      cached: (m?.price?.cached_input_per_million_usd ?? '') as Number,
      active: m?.active ?? true,
    },
    validate: {
      model: (v) => (v.trim() ? null : t('ai.modelMissing')),
      input: (v) => (v === '' ? t('ai.priceMissing') : null),
      output: (v) => (v === '' ? t('ai.priceMissing') : null),
    },
  });
  const o = { form, stale: ['/admin/ai', '/ai/models', '/ai/catalog'], done: t('saved'), then: onClose };
  const create = useAction('post', '/admin/ai/models', o);
  const change = useAction('patch', '/admin/ai/models/{id}', o);
  const save = form.onSubmit((v) => {
    const price = {
      input_per_million_usd: v.input as number,
      output_per_million_usd: v.output as number,
      cached_input_per_million_usd: orNull(v.cached),
      cache_write_per_million_usd: m?.price?.cache_write_per_million_usd ?? null,
    };
    const rest = {
      active: v.active,
      ...(v.label.trim() ? { label: v.label.trim() } : {}),
      ...(v.context_tokens === '' ? {} : { context_tokens: v.context_tokens }),
      ...(v.max_output_tokens === '' ? {} : { max_output_tokens: v.max_output_tokens }),
    };
    const priced = form.isDirty('input') || form.isDirty('output') || form.isDirty('cached');
    if (m) void change.run({ path: { id: m.id }, body: { ...rest, ...(priced ? { price } : {}) } });
    else void create.run({ body: { ...rest, price, provider_kind: v.provider_kind, model: v.model.trim() } });
  });
  const amount = (field: 'input' | 'output' | 'cached', hint?: string) => (
    <NumberInput label={t(`ai.${field}`)} description={hint} prefix="$" min={0} decimalScale={6} {...form.getInputProps(field)} />
  );
  return (
    <SideDialog onClose={onClose} title={m ? t('ai.editOf', { name: m.label }) : t('ai.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          {!m && (
            <>
              <Select
                label={t('ai.kindLabel')}
                allowDeselect={false}
                data={kinds.map((value) => ({ value, label: t(`ai.kind.${value}`) }))}
                {...form.getInputProps('provider_kind')}
              />
              <TextInput
                label={t('ai.model')}
                description={t('ai.modelHint')}
                maxLength={200}
                data-autofocus
                {...form.getInputProps('model')}
              />
            </>
          )}
          <TextInput label={t('ai.label')} maxLength={200} {...form.getInputProps('label')} />
          <SimpleGrid cols={2}>
            {amount('input')}
            {amount('output')}
          </SimpleGrid>
          {amount('cached', t('ai.cachedHint'))}
          <SimpleGrid cols={2}>
            <NumberInput label={t('ai.context')} min={256} allowDecimal={false} {...form.getInputProps('context_tokens')} />
            <NumberInput label={t('ai.mostOutput')} min={1} allowDecimal={false} {...form.getInputProps('max_output_tokens')} />
          </SimpleGrid>
          <Switch label={t('ai.mayTake')} {...form.getInputProps('active', { type: 'checkbox' })} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending || change.pending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SideDialog>
  );
}
