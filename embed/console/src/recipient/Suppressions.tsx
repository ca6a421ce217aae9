import { ActionIcon, Alert, Button, Group, NumberInput, Stack, Text, Textarea, TextInput, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Column, Confirm, Dialog, type Filter, List, NamedThing, Page, type Schema, Status, useAction, useCan, When } from '@shell';
import { IconAlertTriangle, IconBan, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bareUsername } from './fields';
import { Sections } from './Sections';

type Suppression = Schema<'RecipientShownSuppression'>;

const sources = ['OPT_OUT_LINK', 'MANUAL', 'API', 'IMPORT', 'ADMIN'] as const;
/** What the API notes when somebody opted out, in its one language. */
const ownReason = 'The person opted out.';
const whoOf = (s: Suppression) => [s.username && `@${s.username}`, s.messenger_id].filter(Boolean).join(' · ');

/** Those who are never written to, and why. */
export default function Suppressions() {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const manage = can('recipients:manage');
  const [adding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Suppression>();
  const columns = useMemo<Column<Suppression>[]>(
    () => [
      {
        key: 'who',
        title: t('suppression.who'),
        render: (s) => (
          <Text span fw={550} size="sm">
            {whoOf(s)}
          </Text>
        ),
      },
      {
        key: 'person',
        title: t('person'),
        render: (s) => <NamedThing of={s.recipient} />,
      },
      {
        key: 'source',
        title: t('field.source'),
        render: (s) => <Status state={s.source} color="gray" label={t(`suppression.source.${s.source}`)} />,
      },
      {
        key: 'reason',
        title: t('suppression.reason'),
        from: 'md',
        render: (s) => (
          <Text size="sm" lineClamp={2} maw={320}>
            {s.reason === ownReason ? t('suppression.byPerson') : s.reason || '–'}
          </Text>
        ),
      },
      { key: 'created', title: t('column.created'), sort: 'created_at', render: (s) => <When at={s.created_at} /> },
      ...(manage
        ? [
            {
              key: 'act',
              title: t('actions'),
              render: (s: Suppression) => (
                <Tooltip label={t('suppression.remove')}>
                  <ActionIcon color="gray" aria-label={`${t('suppression.remove')}: ${whoOf(s)}`} onClick={() => setRemoved(s)}>
                    <IconTrash size={17} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              ),
            },
          ]
        : []),
    ],
    [t, manage],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'source',
        label: t('field.source'),
        options: sources.map((value) => ({ value, label: t(`suppression.source.${value}`) })),
      },
    ],
    [t],
  );
  const add = manage && (
    <Button leftSection={<IconBan size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('suppression.add')}
    </Button>
  );
  return (
    <Page title={t('sections.suppressions')} lead={t('suppression.lead')} above={[{ label: t('title'), to: '/recipients' }]} actions={add}>
      <Sections />
      <List
        path="/suppressions"
        label={t('sections.suppressions')}
        columns={columns}
        filters={filters}
        search={t('search')}
        sort="-created_at"
        name={whoOf}
        empty={{ title: t('suppression.empty'), text: t('suppression.emptyText'), action: add }}
      />
      {adding && <Add onClose={() => setAdding(false)} />}
      {removed && <Remove entry={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  );
}

const stale = ['/suppressions', '/recipients', '/lists', '/dashboard'];

function Add({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['recipient', 'shell']);
  const form = useForm({
    initialValues: { username: '', messenger_id: '' as number | '', reason: '' },
    validate: { username: (v, all) => (bareUsername(v) || all.messenger_id ? null : t('wrong.who')) },
  });
  const add = useAction('post', '/suppressions', {
    form,
    stale,
    then: onClose,
    done: (s) => t('suppression.added', { count: s.recipients_opted_out }),
    failed: (e) =>
      e.code === 'already_suppressed'
        ? (form.setFieldError(form.values.username ? 'username' : 'messenger_id', t('suppression.already')), true)
        : false,
  });
  const save = form.onSubmit(
    (v) =>
      void add.run({
        body: {
          username: bareUsername(v.username) || null,
          messenger_id: v.messenger_id === '' ? null : Number(v.messenger_id),
          reason: v.reason.trim() || null,
        },
      }),
  );
  return (
    <Dialog onClose={onClose} title={t('suppression.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
            {t('suppression.warning')}
          </Alert>
          <TextInput
            label={t('field.username')}
            description={t('field.usernameHint')}
            autoCapitalize="off"
            spellCheck={false}
            data-autofocus
            {...form.getInputProps('username')}
          />
          <NumberInput
            label={t('field.messengerId')}
            hideControls
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('messenger_id')}
          />
          <Textarea
            label={t('suppression.reason')}
            description={t('suppression.reasonHint')}
            maxLength={500}
            autosize
            minRows={2}
            {...form.getInputProps('reason')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" color="red.8" loading={add.pending}>
              {t('suppression.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Remove({ entry, onClose }: { entry: Suppression; onClose: () => void }) {
  const { t } = useTranslation('recipient');
  const who = whoOf(entry);
  const remove = useAction('delete', '/suppressions/{id}', { stale, done: t('suppression.removed', { who }), then: onClose });
  return (
    <Confirm
      danger
      title={t('suppression.removeTitle', { who })}
      consequence={t('suppression.removeText')}
      act={t('suppression.remove')}
      pending={remove.pending}
      onClose={onClose}
      onConfirm={() => void remove.run({ path: { id: entry.id } })}
    />
  );
}
