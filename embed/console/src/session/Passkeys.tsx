import { Badge, Button, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { call, Confirm, Failed, refresh, type Schema, sentenceOf, showDone, useAction, useGet, useSupport, When } from '@shell';
import { asApiError } from '@shell/api/error';
import { alreadyThere, makePasskey, notDone, passkeysWork } from '@shell/session/passkey';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceOf } from './device';
import { Proof, useProof } from './Proof';

type Passkey = Schema<'SessionShownPasskey'>;
/** More the API does not take. */
const most = 10;

/** The passkeys of the person: adding, renaming, deleting. */
export function Passkeys() {
  const { t } = useTranslation('session');
  const support = useSupport();
  const { data, error, refetch } = useGet('/me/passkeys', {});
  const [open, setOpen] = useState<'add' | { rename: Passkey } | { remove: Passkey }>();
  const close = () => setOpen(undefined);
  return (
    <Paper component="section">
      <Title order={2} mb={4}>
        {t('passkeys.title')}
      </Title>
      <Text size="sm" mb="sm">
        {t('passkeys.text')}
      </Text>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={40} />}
      <Stack gap="sm" component="ul" p={0} m={0} mb="sm" style={{ listStyle: 'none' }} aria-label={t('passkeys.title')}>
        {data?.data.map((p) => (
          <Group component="li" key={p.id} justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Group gap="xs">
                <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {p.name}
                </Text>
                {p.synced && (
                  <Badge variant="light" c="var(--mantine-color-text)">
                    {t('passkeys.synced')}
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {t('passkeys.added')} <When at={p.created_at} /> ·{' '}
                {p.last_used_at ? (
                  <>
                    {t('passkeys.used')} <When at={p.last_used_at} />
                  </>
                ) : (
                  t('passkeys.unused')
                )}
              </Text>
            </div>
            {!support && (
              <Group gap="xs" wrap="nowrap">
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => setOpen({ rename: p })}
                  aria-label={t('passkeys.renameNamed', { name: p.name })}
                >
                  {t('passkeys.rename')}
                </Button>
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => setOpen({ remove: p })}
                  aria-label={t('passkeys.deleteNamed', { name: p.name })}
                >
                  {t('passkeys.delete')}
                </Button>
              </Group>
            )}
          </Group>
        ))}
      </Stack>
      {!passkeysWork() && (
        <Text size="sm" c="dimmed">
          {t('passkeys.impossible')}
        </Text>
      )}
      {!support && passkeysWork() && data && data.total < most && (
        <Button variant="default" onClick={() => setOpen('add')}>
          {t('passkeys.add')}
        </Button>
      )}
      {open === 'add' && <Add onClose={close} />}
      {typeof open === 'object' && 'rename' in open && <Rename passkey={open.rename} onClose={close} />}
      {typeof open === 'object' && 'remove' in open && <Remove passkey={open.remove} onClose={close} />}
    </Paper>
  );
}

function Add({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('session');
  const proof = useProof();
  const form = useForm({
    initialValues: { name: deviceOf(navigator.userAgent) ?? '' },
    validate: { name: (v) => (v.trim() ? null : t('passkeys.nameMissing')) },
  });
  const [pending, setPending] = useState(false);
  const setWrong = (text: string) => form.setFieldError('name', text);
  const add = async () => {
    const body = proof.body();
    if (form.validate().hasErrors || !body) return;
    const name = form.values.name.trim();
    setPending(true);
    try {
      const begun = await call('post', '/me/passkeys/begin', { body: body as never });
      const credential = await makePasskey(begun.public_key);
      await call('post', '/me/passkeys', { body: { challenge_id: begun.challenge_id, name, credential } });
      showDone(t('passkeys.done', { name }));
      void refresh('/me/passkeys');
      onClose();
    } catch (thrown) {
      if (alreadyThere(thrown)) setWrong(t('passkeys.twin'));
      else if (notDone(thrown)) setWrong(t('passkeys.notDone'));
      else if (!proof.failed(asApiError(thrown))) setWrong(sentenceOf(asApiError(thrown)).message);
    } finally {
      setPending(false);
    }
  };
  return (
    <Confirm
      title={t('passkeys.add')}
      act={t('passkeys.continue')}
      consequence={t('passkeys.addText')}
      pending={pending}
      onConfirm={() => void add()}
      onClose={onClose}
    >
      <TextInput label={t('passkeys.name')} description={t('passkeys.nameHint')} maxLength={64} {...form.getInputProps('name')} />
      <Proof of={proof} />
    </Confirm>
  );
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('session');
  const form = useForm({
    initialValues: { name: passkey.name },
    validate: { name: (v) => (v.trim() ? null : t('passkeys.nameMissing')) },
  });
  const save = useAction('patch', '/me/passkeys/{id}', {
    stale: ['/me/passkeys'],
    then: onClose,
    form,
  });
  const send = () => {
    if (!form.validate().hasErrors) void save.run({ path: { id: passkey.id }, body: { name: form.values.name.trim() } });
  };
  return (
    <Confirm
      title={t('passkeys.renameNamed', { name: passkey.name })}
      act={t('save')}
      consequence={t('passkeys.nameHint')}
      pending={save.pending}
      onConfirm={send}
      onClose={onClose}
    >
      <TextInput label={t('passkeys.name')} maxLength={64} data-autofocus {...form.getInputProps('name')} />
    </Confirm>
  );
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('session');
  const proof = useProof();
  const remove = useAction('post', '/me/passkeys/{id}/delete', {
    stale: ['/me/passkeys', '/me/sessions'],
    done: t('passkeys.deleted', { name: passkey.name }),
    then: onClose,
    failed: proof.failed,
  });
  const send = () => {
    const body = proof.body();
    if (body) void remove.run({ path: { id: passkey.id }, body: body as never });
  };
  return (
    <Confirm
      danger
      title={t('passkeys.deleteNamed', { name: passkey.name })}
      act={t('passkeys.delete')}
      consequence={t('passkeys.deleteText')}
      pending={remove.pending}
      onConfirm={send}
      onClose={onClose}
    >
      <Proof of={proof} />
    </Confirm>
  );
}
