import { Button, ColorInput, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import type { PeopleList } from './list';

const colors = ['#1d6b57', '#2f6f9f', '#7a5195', '#b3261e', '#c77700', '#5c6b73'];

/** Makes a list, or changes the one that is given. */
export function ListForm({ list, onClose, then }: { list?: PeopleList; onClose: () => void; then?: (l: PeopleList) => void }) {
  const { t } = useTranslation(['recipient', 'shell']);
  const form = useForm({
    initialValues: { name: list?.name ?? '', description: list?.description ?? '', color: list?.color ?? colors[0]! },
    validate: { name: (v) => (v.trim() ? null : t('list.nameMissing')) },
  });
  const options = {
    form,
    stale: ['/lists', '/recipients'],
    then(l: PeopleList) {
      onClose();
      then?.(l);
    },
    // The only conflict of these operations is the name.
    failed: (e: { code: string }) => (e.code === 'conflict' ? (form.setFieldError('name', t('list.nameTaken')), true) : false),
  };
  const create = useAction('post', '/lists', { ...options, done: (l) => t('list.made', { name: l.name }) });
  const update = useAction('patch', '/lists/{id}', { ...options, done: t('saved') });
  const save = form.onSubmit((v) => {
    const body = { name: v.name.trim(), description: v.description.trim() || null, color: v.color || null };
    void (list ? update.run({ path: { id: list.id }, body }) : create.run({ body }));
  });
  return (
    <Dialog onClose={onClose} title={t(list ? 'list.edit' : 'list.new')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label={t('column.name')} maxLength={80} data-autofocus {...form.getInputProps('name')} />
          <Textarea label={t('list.description')} maxLength={500} autosize minRows={2} {...form.getInputProps('description')} />
          <ColorInput label={t('list.color')} swatches={colors} withEyeDropper={false} {...form.getInputProps('color')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending || update.pending}>
              {t(list ? 'edit.submit' : 'list.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
