import { PeopleSelect } from '@kit';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import type { PeopleList } from './list';

const most = 5000;

/** Puts people who are recipients already into a list. */
export function AddMembers({ list, onClose }: { list: PeopleList; onClose: () => void }) {
  const { t } = useTranslation(['recipient', 'shell']);
  const form = useForm({ initialValues: { recipient_ids: [] as string[] } });
  const chosen = form.values.recipient_ids;
  const add = useAction('post', '/lists/{id}/members', {
    form,
    stale: ['/lists', '/recipients'],
    then: onClose,
    done: (a) => t('list.added', { count: a.added }) + (a.already ? ` ${t('list.already', { count: a.already })}` : ''),
  });
  return (
    <Dialog onClose={onClose} title={t('list.addTitle', { name: list.name })}>
      <Stack>
        <PeopleSelect label={t('list.who')} description={t('search')} most={most} autoFocus {...form.getInputProps('recipient_ids')} />
        <Text size="sm" c="dimmed">
          {t('list.addHint')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button
            disabled={chosen.length === 0}
            loading={add.pending}
            onClick={() => void add.run({ path: { id: list.id }, body: { recipient_ids: chosen } })}
          >
            {t('list.addCount', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
