import { Badge, Button } from '@mantine/core';
import { Beside, codeWord, type Column, type Filter, Inline, List, Num, Page, type Schema, useAction, When } from '@shell';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AskReason, because, useReason } from './AskReason';
import { accountStates } from './choices';
import { administrators } from './Guard';
import { OrgLink, State, useOrganizations } from './parts';

type Account = Schema<'AdminAccount'>;

const nameOf = (a: Account): string => a.label || [a.first_name, a.last_name].filter(Boolean).join(' ') || a.phone_masked;

function Accounts() {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<Account>();
  const organizations = useOrganizations();
  const names = JSON.stringify(organizations);
  const columns = useMemo<Column<Account>[]>(
    () => [
      {
        key: 'name',
        title: t('column.account'),
        render: (a) => (
          <>
            {nameOf(a)}
            <Beside>{a.phone_masked}</Beside>
          </>
        ),
      },
      { key: 'organization', title: t('column.organization'), render: (a) => <OrgLink of={a.organization} /> },
      {
        key: 'status',
        title: t('column.status'),
        render: (a) => (
          <Inline>
            <State kind="account" state={a.status} />
            {a.disabled_by_admin && (
              <Badge color="red" c="var(--mantine-color-text)">
                {t('account.disabled')}
              </Badge>
            )}
          </Inline>
        ),
      },
      {
        key: 'why',
        title: t('column.reason'),
        from: 'lg',
        render: (a) => a.disabled_reason ?? (a.last_error && a.status !== 'ACTIVE' ? codeWord(a.last_error) : '–'),
      },
      { key: 'connection', title: t('account.connection'), from: 'md', render: (a) => t(`account.connected.${a.connection}`) },
      {
        key: 'sent',
        title: t('account.today'),
        align: 'right',
        render: (a) => (
          <>
            <Num value={a.sent_today} /> / <Num value={a.daily_limit} />
          </>
        ),
      },
      { key: 'campaigns', title: t('account.running'), align: 'right', from: 'lg', render: (a) => <Num value={a.running_campaigns} /> },
      { key: 'last', title: t('account.lastSent'), from: 'md', render: (a) => <When at={a.last_sent_at} /> },
      {
        key: 'actions',
        title: '',
        align: 'right',
        render: (a) => (
          <Button size="compact-xs" variant="default" onClick={() => setAsked(a)}>
            {t(a.disabled_by_admin ? 'account.enable' : 'account.disable')}
          </Button>
        ),
      },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.status'),
        options: accountStates.map((value) => ({ value, label: t(`state.account.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'organization_id',
        label: t('column.organization'),
        options: JSON.parse(names) as typeof organizations,
        searchable: true,
      },
    ],
    [t, names],
  );
  const close = () => setAsked(undefined);
  return (
    <Page title={t('account.title')} lead={t('account.lead')}>
      <List
        path="/admin/accounts"
        label={t('account.title')}
        columns={columns}
        filters={filters}
        name={nameOf}
        empty={{ title: t('account.empty'), text: t('account.emptyText') }}
      />
      {asked && (asked.disabled_by_admin ? <Enable account={asked} onClose={close} /> : <Disable account={asked} onClose={close} />)}
    </Page>
  );
}

interface Props {
  account: Account;
  onClose: () => void;
}

function Disable({ account: a, onClose }: Props) {
  const { t } = useTranslation('admin');
  const form = useReason();
  const act = useAction('post', '/admin/accounts/{id}/disable', {
    form,
    stale: ['/admin'],
    done: t('account.disabledDone', { name: nameOf(a) }),
    then: onClose,
  });
  return (
    <AskReason
      danger
      title={t('account.disableTitle', { name: nameOf(a) })}
      act={t('account.disable')}
      pending={act.pending}
      form={form}
      onClose={onClose}
      consequence={
        <>
          {t('account.disableText', { name: a.organization.name })}{' '}
          {a.running_campaigns > 0 && t('account.disableCampaigns', { count: a.running_campaigns })}
        </>
      }
      onConfirm={(reason) => void act.run({ path: { id: a.id }, body: { reason } })}
    />
  );
}

function Enable({ account: a, onClose }: Props) {
  const { t } = useTranslation('admin');
  const form = useReason({ optional: true });
  const act = useAction('post', '/admin/accounts/{id}/enable', {
    stale: ['/admin'],
    done: t('account.enabledDone', { name: nameOf(a) }),
    then: onClose,
  });
  return (
    <AskReason
      optional
      form={form}
      title={t('account.enableTitle', { name: nameOf(a) })}
      act={t('account.enable')}
      pending={act.pending}
      onClose={onClose}
      consequence={t('account.enableText', { name: a.organization.name })}
      onConfirm={(reason) => void act.run({ path: { id: a.id }, body: because(reason) })}
    />
  );
}

export default administrators(Accounts);
