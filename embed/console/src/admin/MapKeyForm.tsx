import { Button, Group, NumberInput, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { SideDialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import { type MapKey, mapKeys } from './mapKey';

const origin = /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/]+\/?)$/i;

/** Makes a key of the map, or changes one. */
export function MapKeyForm({
  of,
  onClose,
  onMade,
}: {
  of?: MapKey;
  onClose: () => void;
  onMade?: (k: { name: string; key: string }) => void;
}) {
  const { t } = useTranslation(['admin', 'shell']);
  const form = useForm({
    initialValues: {
      name: of?.name ?? '',
      origins: [...(of?.origins ?? [])],
      rate_limit: (of?.rate_limit ?? 0) as number | string,
      monthly_quota: (of?.monthly_quota ?? 0) as number | string,
      note: of?.note ?? '',
    },
    validate: {
      name: (v) => (v.trim() ? null : t('mapKeys.nameMissing')),
      origins: (list) => (list.every((o) => origin.test(o)) ? null : t('mapKeys.originWrong')),
    },
  });
  const create = useAction('post', mapKeys, { form, stale: [mapKeys], then: (k) => onMade?.({ name: k.name, key: k.key }) });
  const update = useAction('patch', '/admin/map-keys/{id}', { form, stale: [mapKeys], done: t('saved'), then: onClose });
  const submit = () => {
    const v = form.values;
    const body = {
      name: v.name.trim(),
      origins: v.origins,
      rate_limit: Number(v.rate_limit) || 0,
      monthly_quota: Number(v.monthly_quota) || 0,
      note: v.note.trim(),
    };
    void (of ? update.run({ path: { id: of.id }, body }) : create.run({ body }));
  };
  return (
    <SideDialog onClose={onClose} size="md" title={of ? t('mapKeys.editTitle', { name: of.name }) : t('mapKeys.newTitle')}>
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack gap="sm">
          <TextInput
            label={t('mapKeys.name')}
            description={t('mapKeys.nameHint')}
            maxLength={200}
            withAsterisk
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TagsInput
            label={t('mapKeys.origins')}
            description={t('mapKeys.originsHint')}
            placeholder={form.values.origins.length === 0 ? 'https://acme.uz' : undefined}
            splitChars={[',', ' ', ';']}
            acceptValueOnBlur
            maxTags={200}
            {...form.getInputProps('origins')}
          />
          <NumberInput
            label={t('mapKeys.rate')}
            description={t('mapKeys.rateHint')}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            thousandSeparator=" "
            {...form.getInputProps('rate_limit')}
          />
          <NumberInput
            label={t('mapKeys.quota')}
            description={t('mapKeys.quotaHint')}
            min={0}
            max={1_000_000_000_000}
            allowDecimal={false}
            thousandSeparator=" "
            {...form.getInputProps('monthly_quota')}
          />
          <Textarea label={t('mapKeys.note')} autosize minRows={2} maxLength={2000} {...form.getInputProps('note')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending || update.pending}>
              {of ? t('save') : t('mapKeys.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SideDialog>
  );
}
