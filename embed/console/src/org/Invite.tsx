import { Alert, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Copy, Dialog, type Schema, useAction, useFormat, useMe } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { givable } from './roles';

type Invitation = Schema<'OrgShownInvitation'>;

/** An invitation is a link: whoever invites sends it. */
export function Invite({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['org', 'shell']);
  const { role } = useMe();
  const [made, setMade] = useState<Invitation>();
  const form = useForm({
    initialValues: { email: '', role: 'MANAGER' as Invitation['role'] },
    validate: { email: (v) => (/^\S+@\S+$/.test(v.trim()) ? null : t('invitations.emailMissing')) },
  });
  const create = useAction('post', '/invitations', {
    form,
    stale: ['/invitations', '/organization'],
    then: setMade,
    failed: (e) => {
      if (e.code !== 'already_member' && e.code !== 'conflict') return false;
      form.setErrors({ email: t(e.code === 'conflict' ? 'invitations.already' : 'invitations.member') });
      return true;
    },
  });
  if (made) return <Made invitation={made} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={t('invitations.add')}>
      <form onSubmit={form.onSubmit((v) => void create.run({ body: { email: v.email.trim(), role: v.role } }))} noValidate>
        <Stack>
          <TextInput label={t('invitations.email')} type="email" maxLength={254} data-autofocus {...form.getInputProps('email')} />
          <Radio.Group label={t('members.role')} {...form.getInputProps('role')}>
            <Stack gap="xs" mt={6}>
              {givable(role).map((r) => (
                <Radio key={r} value={r} label={t(`shell:role.${r}`)} description={t(`roles.about.${r}`)} />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('invitations.make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Made({ invitation: i, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { t } = useTranslation('org');
  const f = useFormat();
  const link = new URL(i.url ?? '', location.origin).href;
  return (
    <Dialog onClose={onClose} title={t('invitations.madeTitle', { email: i.email })} firm>
      <Stack>
        <Text size="sm">{t('invitations.send', { email: i.email })}</Text>
        <Copy value={link} />
        <Alert color="yellow">
          <Text size="sm">{t('invitations.once', { until: f.time(i.expires_at) })}</Text>
        </Alert>
        <Button onClick={onClose}>{t('invitations.copied')}</Button>
      </Stack>
    </Dialog>
  );
}
