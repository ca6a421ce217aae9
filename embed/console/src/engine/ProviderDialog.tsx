import { Button, Checkbox, Group, NumberInput, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction, useNavigate } from '@shell';
import { useTranslation } from 'react-i18next';
import { kinds, type Provider } from './types';

type Kind = (typeof kinds)[number];
const timeouts = { least: 1, most: 300, usual: 30 };

/** Adds a provider, or changes one. The key can be written and never read. */
export function ProviderDialog({ provider: p, onClose }: { provider?: Provider; onClose: () => void }) {
  const { t } = useTranslation(['engine', 'shell']);
  const navigate = useNavigate();
  const form = useForm({
    initialValues: {
      kind: (p?.kind ?? 'OPENAI') as Kind,
      name: p?.name ?? '',
      api_key: '',
      base_url: p?.base_url ?? '',
      timeout_seconds: p?.timeout_seconds ?? timeouts.usual,
      is_default: p?.is_default ?? false,
    },
    validate: {
      name: (v) => (v.trim() ? null : t('form.nameMissing')),
      api_key: (v, all) => (v || p || all.kind === 'OPENAI_COMPATIBLE' ? null : t('form.keyMissing')),
      base_url: (v, all) => (v.trim() || all.kind !== 'OPENAI_COMPATIBLE' ? null : t('form.urlMissing')),
    },
  });
  const o = { form, stale: ['/ai/providers', '/ai/models', '/ai/agents'] };
  const create = useAction('post', '/ai/providers', {
    ...o,
    done: t('form.added'),
    then: (made) => void navigate({ to: `/ai/providers/${made.id}` }),
  });
  const change = useAction('patch', '/ai/providers/{id}', { ...o, done: t('form.saved'), then: onClose });
  const save = form.onSubmit((v) => {
    const body = {
      name: v.name.trim(),
      base_url: v.base_url.trim() || null,
      timeout_seconds: Number(v.timeout_seconds),
      ...(v.api_key ? { api_key: v.api_key } : {}),
      ...(v.is_default !== (p?.is_default ?? false) ? { is_default: v.is_default } : {}),
    };
    if (p) void change.run({ path: { id: p.id }, body });
    else void create.run({ body: { ...body, kind: v.kind } });
  });
  return (
    <Dialog onClose={onClose} title={p ? t('form.edit') : t('provider.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          {!p && (
            <Select
              label={t('form.kind')}
              allowDeselect={false}
              data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
              {...form.getInputProps('kind')}
            />
          )}
          <TextInput label={t('column.name')} maxLength={80} data-autofocus {...form.getInputProps('name')} />
          <PasswordInput
            label={t('form.key')}
            description={p?.key_hint ? t('form.keyKept', { hint: p.key_hint }) : t('form.keyHint')}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('form.keyShow') }}
            {...form.getInputProps('api_key')}
          />
          <TextInput
            label={t('form.url')}
            description={t(form.values.kind === 'OPENAI_COMPATIBLE' ? 'form.urlOwn' : 'form.urlVendor')}
            type="url"
            {...form.getInputProps('base_url')}
          />
          <NumberInput
            label={t('form.timeout')}
            description={t('form.timeoutHint')}
            min={timeouts.least}
            max={timeouts.most}
            allowDecimal={false}
            {...form.getInputProps('timeout_seconds')}
          />
          {!p?.is_default && <Checkbox label={t('form.default')} {...form.getInputProps('is_default', { type: 'checkbox' })} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending || change.pending}>
              {p ? t('form.save') : t('provider.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
