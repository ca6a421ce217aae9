import { ActionIcon, Button, Code, Group, Menu, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { type Column, Confirm, List, Page, Pale, Secret, Status, NamedThing, useAction, useCan, When } from '@shell';
import { IconDots, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NewKey } from './NewKey';
import { type Key, leftOf, scopeWords } from './scopes';

/** The keys of programs: what each may do, when it was used last, until when it works. */
export default function Keys() {
  const { t } = useTranslation('session');
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<Key>();
  const [asked, setAsked] = useState<{ act: 'rotate' | 'revoke'; key: Key }>();
  const columns = useColumns((act, key) => setAsked({ act, key }));
  const canManage = useCan()('developers:manage');
  const add = canManage && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen(true)}>
      {t('keys.add')}
    </Button>
  );
  const close = () => setAsked(undefined);
  return (
    <Page title={t('keys.title')} lead={t('keys.lead')} actions={add}>
      <List
        path="/api-keys"
        label={t('keys.title')}
        columns={columns}
        sort="-created_at"
        name={(k) => k.name}
        empty={{ title: t('keys.empty'), text: t('keys.emptyText'), action: add }}
      />
      {open && (
        <NewKey
          onClose={() => setOpen(false)}
          onMade={(k) => {
            setOpen(false);
            setMade(k);
          }}
        />
      )}
      {asked?.act === 'rotate' && (
        <Rotate
          apiKey={asked.key}
          onClose={close}
          onMade={(k) => {
            close();
            setMade(k);
          }}
        />
      )}
      {asked?.act === 'revoke' && <Revoke apiKey={asked.key} onClose={close} />}
      {made?.key && <Secret title={t('keys.made', { name: made.name })} value={made.key} onClose={() => setMade(undefined)} />}
    </Page>
  );
}

function useColumns(ask: (act: 'rotate' | 'revoke', key: Key) => void): Column<Key>[] {
  const { t } = useTranslation('session');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('keys.name'),
        render: (k) => (
          <>
            {k.name} <Code fz="xs">svck_{k.prefix}…</Code>
          </>
        ),
      },
      { key: 'status', title: t('keys.status'), render: (k) => <State apiKey={k} /> },
      {
        key: 'scopes',
        title: t('keys.may'),
        from: 'md',
        render: (k) => (
          <Text size="sm" maw={360} lineClamp={3}>
            {k.scopes ? scopeWords(t, k.scopes) : t('keys.everything')}
          </Text>
        ),
      },
      {
        key: 'used',
        title: t('keys.used'),
        render: (k) =>
          k.last_used_at ? (
            <>
              <When at={k.last_used_at} />
              {k.last_used_ip && (
                <Text size="xs" c="dimmed">
                  {k.last_used_ip}
                </Text>
              )}
            </>
          ) : (
            <Pale>{t('keys.never')}</Pale>
          ),
      },
      {
        key: 'expires',
        title: t('keys.expires'),
        render: (k) => (k.expires_at ? <When at={k.expires_at} /> : <Pale>{t('keys.noExpiry')}</Pale>),
      },
      {
        key: 'created',
        title: t('keys.created'),
        sort: 'created_at',
        from: 'lg',
        render: (k) => (
          <>
            <When at={k.created_at} />
            <Text size="xs" c="dimmed">
              <NamedThing of={k.creator} />
            </Text>
          </>
        ),
      },
      { key: 'act', title: '', align: 'right', render: (k) => <Acts apiKey={k} ask={ask} /> },
    ],
    [t, ask],
  );
}

/** Where the key is in its life; a rotated one counts down. */
function State({ apiKey: k }: { apiKey: Key }) {
  const { t } = useTranslation('session');
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 30_000, { autoInvoke: k.status === 'ROTATING' });
  const left = k.status === 'ROTATING' && k.valid_until ? leftOf(k.valid_until, now) : undefined;
  return (
    <div>
      <Status state={k.status} label={t(`keys.state.${k.status}`)} />
      {left && (
        <Text size="xs" c="dimmed" mt={2}>
          {t('keys.left', left)}
        </Text>
      )}
    </div>
  );
}

function Acts({ apiKey: k, ask }: { apiKey: Key; ask: (act: 'rotate' | 'revoke', key: Key) => void }) {
  const { t } = useTranslation('session');
  const can = useCan();
  if (!can('developers:manage') || (k.status !== 'ACTIVE' && k.status !== 'ROTATING')) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('keys.more', { name: k.name })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {k.status === 'ACTIVE' && (
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => ask('rotate', k)}>
            {t('keys.rotate')}
          </Menu.Item>
        )}
        <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => ask('revoke', k)}>
          {t('keys.revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Rotate({ apiKey: k, onClose, onMade }: { apiKey: Key; onClose: () => void; onMade: (k: Key) => void }) {
  const { t } = useTranslation('session');
  const rotate = useAction('post', '/api-keys/{id}/rotate', { stale: ['/api-keys'], then: onMade });
  return (
    <Confirm
      title={t('keys.rotateTitle', { name: k.name })}
      consequence={t('keys.rotateConsequence')}
      act={t('keys.rotate')}
      pending={rotate.pending}
      onConfirm={() => void rotate.run({ path: { id: k.id } })}
      onClose={onClose}
    />
  );
}

function Revoke({ apiKey: k, onClose }: { apiKey: Key; onClose: () => void }) {
  const { t } = useTranslation('session');
  const revoke = useAction('delete', '/api-keys/{id}', { stale: ['/api-keys'], done: t('keys.revoked', { name: k.name }), then: onClose });
  return (
    <Confirm
      danger
      title={t('keys.revokeTitle', { name: k.name })}
      act={t('keys.revoke')}
      pending={revoke.pending}
      onConfirm={() => void revoke.run({ path: { id: k.id } })}
      onClose={onClose}
      consequence={
        <>
          {t('keys.revokeConsequence')}{' '}
          {k.last_used_at && (
            <Group gap={4} component="span" mt={6}>
              {t('keys.lastUsed')} <When at={k.last_used_at} />
            </Group>
          )}
        </>
      }
    />
  );
}
