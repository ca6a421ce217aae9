import { Button, Text } from '@mantine/core';
import { Beside, type Column, type Filter, Link, List, Page, Status, useCan, When } from '@shell';
import { IconDeviceMobilePlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Account, accountName, accountStates, nextStep, shownState } from './name';
import { AccountState, Today } from './State';

export default function AccountList() {
  const { t } = useTranslation('account');
  const can = useCan();
  const columns = useColumns();
  const filters = useMemo(
    (): Filter[] => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.state'),
        options: accountStates.map((value) => ({ value, label: t(`state.${value}`) })),
      },
    ],
    [t],
  );
  const add = can('accounts:manage') && (
    <Button component={Link} to="/accounts/new" leftSection={<IconDeviceMobilePlus size={17} aria-hidden />}>
      {t('connect')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={add}>
      <List
        path="/accounts"
        label={t('title')}
        columns={columns}
        filters={filters}
        to={(a) => `/accounts/${a.id}`}
        name={accountName}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: add }}
      />
    </Page>
  );
}

function useColumns(): Column<Account>[] {
  const { t } = useTranslation('account');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        render: (a) => (
          <>
            {accountName(a)}
            <Beside>{a.phone_masked}</Beside>
          </>
        ),
      },
      { key: 'state', title: t('column.state'), render: (a) => <AccountState account={a} /> },
      {
        key: 'next',
        title: t('column.next'),
        from: 'md',
        render: (a) => <Text size="sm">{shownState(a) === 'COOLDOWN' ? t('short.wait') : t(`short.${nextStep(a)}`)}</Text>,
      },
      { key: 'today', title: t('column.today'), render: (a) => <Today account={a} /> },
      { key: 'campaigns', title: t('column.campaigns'), from: 'lg', render: (a) => a.running_campaigns || '–' },
      {
        key: 'connection',
        title: t('column.connection'),
        from: 'lg',
        render: (a) => <Status state={a.connection} label={t(`connection.${a.connection}`)} />,
      },
      { key: 'sent', title: t('column.lastSent'), from: 'md', render: (a) => <When at={a.last_sent_at} /> },
    ],
    [t],
  );
}
