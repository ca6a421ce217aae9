import { Button, Checkbox, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, Dialog, Empty, Failed, Tag, useAction, useCan, useGet } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ends } from './parts';
import { type Business, type Identity, orNull, whole } from './types';

/** Under which names the seller answers. None of them can claim to be a person. */
export default function Identities({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [asked, setAsked] = useState<'add' | { edit: Identity } | { remove: Identity }>();
  const close = () => setAsked(undefined);
  const { data, error, refetch } = useGet('/ai/businesses/{id}/identities', { path: { id: b.id }, query: whole });
  const stale = ['/ai/businesses/{id}/identities'];
  const remove = useAction('delete', '/ai/identities/{id}', { stale, done: t('identity.removed'), then: close });
  const add = may && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAsked('add')}>
      {t('identity.add')}
    </Button>
  );
  if (!data) return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={160} />;
  return (
    <Stack>
      {data.data.length === 0 ? (
        <Paper p={0}>
          <Empty title={t('identity.empty')} text={t('identity.emptyText')} action={add} />
        </Paper>
      ) : (
        <>
          {add && <Group>{add}</Group>}
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {data.data.map((i) => (
              <Paper key={i.id} component="section" data-identity={i.name}>
                <Group gap="xs">
                  <Title order={2}>{i.persona_name}</Title>
                  {i.is_default && <Tag>{t('default')}</Tag>}
                </Group>
                <Text size="sm" c="dimmed">
                  {i.name} · {i.role}
                </Text>
                {i.biography && (
                  <Text size="sm" mt="xs" lineClamp={4}>
                    {i.biography}
                  </Text>
                )}
                {i.signature && (
                  <Text size="sm" mt="xs" fs="italic">
                    {i.signature}
                  </Text>
                )}
                {may && (
                  <Group gap="xs" mt="sm">
                    <Button variant="default" size="compact-sm" onClick={() => setAsked({ edit: i })}>
                      {t('edit')}
                    </Button>
                    <Button variant="subtle" color="red" size="compact-sm" disabled={i.is_default} onClick={() => setAsked({ remove: i })}>
                      {t('delete.act')}
                    </Button>
                  </Group>
                )}
              </Paper>
            ))}
          </SimpleGrid>
        </>
      )}
      {asked === 'add' && <IdentityDialog business={b.id} onClose={close} />}
      {typeof asked === 'object' && 'edit' in asked && <IdentityDialog business={b.id} identity={asked.edit} onClose={close} />}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          danger
          title={t('identity.removeTitle', { name: asked.remove.name })}
          consequence={t('identity.removeConsequence')}
          act={t('delete.act')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: asked.remove.id } })}
          onClose={close}
        />
      )}
    </Stack>
  );
}

function IdentityDialog({ business, identity: i, onClose }: { business: string; identity?: Identity; onClose: () => void }) {
  const { t } = useTranslation('business');
  const form = useForm({
    initialValues: {
      name: i?.name ?? '',
      persona_name: i?.persona_name ?? '',
      role: i?.role ?? '',
      biography: i?.biography ?? '',
      signature: i?.signature ?? '',
      is_default: i?.is_default ?? false,
    },
    validate: {
      name: (v) => (v.trim() ? null : t('nameMissing')),
      persona_name: (v) => (v.trim() ? null : t('nameMissing')),
      role: (v) => (v.trim() ? null : t('identity.roleMissing')),
    },
  });
  const o = { form, stale: ['/ai/businesses/{id}/identities'], done: t('saved'), then: onClose };
  const create = useAction('post', '/ai/businesses/{id}/identities', o);
  const change = useAction('patch', '/ai/identities/{id}', o);
  const save = form.onSubmit((v) => {
    const body = { ...v, biography: orNull(v.biography), signature: orNull(v.signature) };
    if (i) void change.run({ path: { id: i.id }, body });
    else void create.run({ path: { id: business }, body });
  });
  return (
    <Dialog onClose={onClose} title={i ? i.name : t('identity.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput
            label={t('identity.name')}
            description={t('identity.nameHint')}
            maxLength={120}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TextInput
            label={t('identity.persona')}
            description={t('identity.personaHint')}
            maxLength={80}
            {...form.getInputProps('persona_name')}
          />
          <TextInput label={t('identity.role')} placeholder={t('identity.roleExample')} maxLength={120} {...form.getInputProps('role')} />
          <Textarea
            label={t('identity.biography')}
            description={t('identity.biographyHint')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            {...form.getInputProps('biography')}
          />
          <TextInput label={t('identity.signature')} maxLength={200} {...form.getInputProps('signature')} />
          {!i?.is_default && <Checkbox label={t('makeDefault')} {...form.getInputProps('is_default', { type: 'checkbox' })} />}
          <Ends act={i ? t('save') : t('identity.add')} pending={create.pending || change.pending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
