import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Case, Dimension } from './types';

interface Props {
  business: string;
  dimension: Dimension | Case['dimension'];
  /** The case that is changed; a new one without. */
  of?: Case;
  onClose: () => void;
}

/** What a case is called in three languages, and how one tells that a conversation belongs to it. */
export function CaseDialog({ business, dimension, of: k, onClose }: Props) {
  const { t } = useTranslation(['insight', 'shell']);
  const form = useForm({
    initialValues: {
      uz: k?.name.uz ?? '',
      ru: k?.name.ru ?? '',
      en: k?.name.en ?? '',
      description: k?.description ?? '',
      examples: (k?.examples ?? []).join('\n'),
    },
    validate: { uz: (v, all) => (v.trim() || all.ru.trim() || all.en.trim() ? null : t('case.nameNeeded')) },
  });
  const options = { form, stale: ['/ai/businesses/{id}/cases', '/ai/insights/boards'], done: t('case.saved'), then: onClose };
  const create = useAction('post', '/ai/businesses/{id}/cases', options);
  const change = useAction('patch', '/ai/cases/{id}', options);
  const save = form.onSubmit((v) => {
    const body = {
      name: { uz: v.uz, ru: v.ru, en: v.en },
      description: v.description,
      examples: v.examples.split('\n').filter((x) => x.trim() !== ''),
    };
    if (k) void change.run({ path: { id: k.id }, body });
    else void create.run({ path: { id: business }, body: { ...body, dimension: dimension as Dimension } });
  });
  return (
    <Dialog onClose={onClose} title={k ? t('case.edit') : `${t('case.add')}: ${t(`dimension.${dimension as Dimension}`)}`}>
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label={t('case.name.uz')} maxLength={80} data-autofocus {...form.getInputProps('uz')} />
          <TextInput label={t('case.name.ru')} maxLength={80} {...form.getInputProps('ru')} />
          <TextInput label={t('case.name.en')} maxLength={80} {...form.getInputProps('en')} />
          <Textarea
            label={t('case.description')}
            description={t('case.descriptionHint')}
            autosize
            minRows={2}
            maxLength={500}
            {...form.getInputProps('description')}
          />
          <Textarea
            label={t('case.examples')}
            description={t('case.examplesHint')}
            autosize
            minRows={2}
            {...form.getInputProps('examples')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending || change.pending}>
              {t('case.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
