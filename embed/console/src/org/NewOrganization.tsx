import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, startAnew, useAction, useNavigate } from '@shell';
import { useTranslation } from 'react-i18next';

/** One more organization; the console goes on in it. */
export function NewOrganization({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['org', 'shell']);
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '' }, validate: { name: (v) => (v.trim() ? null : t('settings.nameMissing')) } });
  const create = useAction('post', '/me/organizations', {
    form,
    done: t('another.done'),
    then: (me) => {
      onClose();
      startAnew(me);
      void navigate({ to: '/', ignoreBlocker: true });
    },
  });
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Dialog onClose={onClose} title={t('another.title')}>
      <form onSubmit={form.onSubmit((v) => void create.run({ body: { name: v.name.trim(), timezone } }))}>
        <Stack>
          <Text size="sm">{t('another.text')}</Text>
          <TextInput label={t('settings.name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('another.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
