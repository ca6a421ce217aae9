import { Button, Text } from '@mantine/core';
import { type Column, type Filter, Link, List, Num, Page, type Schema, When } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { plans } from './choices';
import { State } from './parts';

type Organization = Schema<'AdminOrganization'>;

function Organizations() {
  const { t } = useTranslation('admin');
  const add = (
    <Button component={Link} to="/admin/organizations/new" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('organization.new')}
    </Button>
  );
  const columns = useMemo<Column<Organization>[]>(
    () => [
      { key: 'name', title: t('column.organization'), render: (o) => o.name },
      { key: 'status', title: t('column.status'), render: (o) => <State kind="organization" state={o.status} /> },
      { key: 'plan', title: t('column.plan'), render: (o) => t(`plan.${o.plan}`) },
      {
        key: 'owner',
        title: t('column.owner'),
        from: 'md',
        render: (o) =>
          o.owner ? (
            <>
              {o.owner.email}
              {!o.owner.user_id && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  · {t('organization.invited')}
                </Text>
              )}
            </>
          ) : (
            '–'
          ),
      },
      { key: 'recipients', title: t('limit.recipients'), align: 'right', from: 'md', render: (o) => <Num value={o.recipients_count} /> },
      { key: 'sent', title: t('column.sentMonth'), align: 'right', render: (o) => <Num value={o.usage.messages.sent} /> },
      { key: 'activity', title: t('column.activity'), from: 'md', render: (o) => <When at={o.last_activity_at} /> },
      { key: 'created', title: t('column.created'), sort: 'created_at', from: 'lg', render: (o) => <When at={o.created_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.status'),
        options: ['ACTIVE', 'SUSPENDED'].map((value) => ({ value, label: t(`state.organization.${value}`) })),
      },
      { kind: 'choice', key: 'plan', label: t('column.plan'), options: plans.map((value) => ({ value, label: t(`plan.${value}`) })) },
    ],
    [t],
  );
  return (
    <Page title={t('organization.title')} lead={t('organization.lead')} actions={add}>
      <List
        path="/admin/organizations"
        label={t('organization.title')}
        columns={columns}
        filters={filters}
        search={t('organization.search')}
        sort="-created_at"
        to={(o) => `/admin/organizations/${o.id}`}
        name={(o) => o.name}
        empty={{ title: t('organization.empty'), text: t('organization.emptyText'), action: add }}
      />
    </Page>
  );
}

export default administrators(Organizations);
