import { Badge, Button, Group, Text } from '@mantine/core';
import { Beside, type Column, Confirm, type Filter, Inline, late, List, Page, type Schema, useAction, useMe, When } from '@shell';
import { IconShieldCheck } from '@tabler/icons-react';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AskReason, useReason } from './AskReason';
import { administrators } from './Guard';
import { OrgLink, State } from './parts';
import { ownedBy, UserLimit } from './UserLimit';

/** Few ever need it. */
const LostAccess = late(() => import('./LostAccess'));

type User = Schema<'AdminUser'>;
type Asked = { what: 'disable' | 'enable' | 'password' | 'own'; user: User };

const nameOf = (u: User): string => u.name || u.email;

function Users() {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<Asked>();
  const me = useMe().user?.id;
  const columns = useMemo<Column<User>[]>(
    () => [
      {
        key: 'name',
        title: t('column.user'),
        render: (u) => (
          <>
            {nameOf(u)}
            {u.name && <Beside>{u.email}</Beside>}
          </>
        ),
      },
      {
        key: 'status',
        title: t('column.status'),
        render: (u) => (
          <Inline>
            <State kind="user" state={u.status} />
            {u.is_platform_admin && <Badge miw="max-content">{t('user.admin')}</Badge>}
            {u.disabled_reason && (
              <Text size="xs" c="dimmed">
                {u.disabled_reason}
              </Text>
            )}
          </Inline>
        ),
      },
      {
        key: 'twofactor',
        title: t('user.twofactor'),
        from: 'md',
        render: (u) =>
          u.mfa_enabled ? (
            <Group gap={4} wrap="nowrap">
              <IconShieldCheck size={16} aria-hidden />
              {t('user.on')}
            </Group>
          ) : (
            t('user.off')
          ),
      },
      {
        key: 'organizations',
        title: t('organization.title'),
        from: 'md',
        render: (u) =>
          u.organizations.length
            ? u.organizations.map((o, i) => (
                <span key={o.id}>
                  {i > 0 && ', '}
                  <OrgLink of={o} />{' '}
                  <Text span size="xs" c="dimmed">
                    {t(`shell:role.${o.role}`)}
                  </Text>
                </span>
              ))
            : '–',
      },
      {
        key: 'own',
        title: t('user.owns'),
        align: 'right',
        render: (u) => t('user.ownsOf', { n: ownedBy(u), most: u.max_organizations }),
      },
      { key: 'login', title: t('user.lastLogin'), render: (u) => <When at={u.last_login_at} /> },
      { key: 'created', title: t('column.created'), sort: 'created_at', from: 'lg', render: (u) => <When at={u.created_at} /> },
      {
        key: 'actions',
        title: '',
        align: 'right',
        render: (u) => (
          <Group gap={4} justify="flex-end">
            <Button size="compact-xs" variant="subtle" onClick={() => setAsked({ what: 'password', user: u })}>
              {t('user.lost')}
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => setAsked({ what: 'own', user: u })}>
              {t('user.ownOpen')}
            </Button>
            {u.status === 'ACTIVE' && u.id !== me && (
              <Button size="compact-xs" variant="default" onClick={() => setAsked({ what: 'disable', user: u })}>
                {t('user.disable')}
              </Button>
            )}
            {u.status === 'DISABLED' && (
              <Button size="compact-xs" variant="default" onClick={() => setAsked({ what: 'enable', user: u })}>
                {t('user.enable')}
              </Button>
            )}
          </Group>
        ),
      },
    ],
    [t, me],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.status'),
        options: ['ACTIVE', 'DISABLED'].map((value) => ({ value, label: t(`state.user.${value}`) })),
      },
    ],
    [t],
  );
  const close = () => setAsked(undefined);
  return (
    <Page title={t('user.title')} lead={t('user.lead')}>
      <List
        path="/admin/users"
        label={t('user.title')}
        columns={columns}
        filters={filters}
        search={t('user.search')}
        sort="-created_at"
        name={nameOf}
        empty={{ title: t('user.empty'), text: t('user.emptyText') }}
      />
      {asked?.what === 'disable' && <Disable user={asked.user} onClose={close} />}
      {asked?.what === 'enable' && <Enable user={asked.user} onClose={close} />}
      {asked?.what === 'own' && <UserLimit user={asked.user} onClose={close} />}
      {asked?.what === 'password' && (
        <Suspense>
          <LostAccess user={asked.user} onClose={close} />
        </Suspense>
      )}
    </Page>
  );
}

interface Props {
  user: User;
  onClose: () => void;
}

function Disable({ user: u, onClose }: Props) {
  const { t } = useTranslation('admin');
  const form = useReason();
  const act = useAction('post', '/admin/users/{id}/disable', {
    form,
    stale: ['/admin'],
    done: t('user.disabled', { name: nameOf(u) }),
    then: onClose,
  });
  return (
    <AskReason
      danger
      title={t('user.disableTitle', { name: nameOf(u) })}
      act={t('user.disable')}
      pending={act.pending}
      form={form}
      consequence={t('user.disableText', { name: nameOf(u), count: u.organizations.length })}
      onClose={onClose}
      onConfirm={(reason) => void act.run({ path: { id: u.id }, body: { reason } })}
    />
  );
}

function Enable({ user: u, onClose }: Props) {
  const { t } = useTranslation('admin');
  const act = useAction('post', '/admin/users/{id}/enable', {
    stale: ['/admin'],
    done: t('user.enabled', { name: nameOf(u) }),
    then: onClose,
  });
  return (
    <Confirm
      title={t('user.enableTitle', { name: nameOf(u) })}
      act={t('user.enable')}
      pending={act.pending}
      consequence={t('user.enableText', { name: nameOf(u) })}
      onClose={onClose}
      onConfirm={() => void act.run({ path: { id: u.id } })}
    />
  );
}

export default administrators(Users);
