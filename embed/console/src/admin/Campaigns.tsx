import { type Column, type Filter, List, Num, Page, type Schema, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { campaignStates } from './choices';
import { administrators } from './Guard';
import { OrgLink, State, useOrganizations, wordOr } from './parts';

export type CampaignShown = Schema<'AdminCampaign'>;

function Campaigns() {
  const { t } = useTranslation('admin');
  const organizations = JSON.stringify(useOrganizations());
  const columns = useMemo<Column<CampaignShown>[]>(
    () => [
      { key: 'name', title: t('column.campaign'), render: (c) => c.name },
      { key: 'organization', title: t('column.organization'), render: (c) => <OrgLink of={c.organization} /> },
      { key: 'status', title: t('column.status'), render: (c) => <State kind="campaign" state={c.status} /> },
      {
        key: 'why',
        title: t('column.reason'),
        from: 'md',
        render: (c) => (c.pause_reason ? wordOr(`pause.${c.pause_reason}`, c.pause_reason) : '–'),
      },
      {
        key: 'people',
        title: t('campaign.people'),
        align: 'right',
        render: (c) => <Num value={c.totals.total || c.audience.recipient_count} />,
      },
      { key: 'completed', title: t('campaign.completed'), align: 'right', from: 'md', render: (c) => <Num value={c.totals.completed} /> },
      { key: 'failed', title: t('campaign.failed'), align: 'right', from: 'lg', render: (c) => <Num value={c.totals.failed} /> },
      { key: 'started', title: t('campaign.started'), from: 'md', render: (c) => <When at={c.started_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.status'),
        options: campaignStates.map((value) => ({ value, label: t(`state.campaign.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'organization_id',
        label: t('column.organization'),
        options: JSON.parse(organizations) as { value: string; label: string }[],
        searchable: true,
      },
    ],
    [t, organizations],
  );
  return (
    <Page title={t('campaign.title')} lead={t('campaign.lead')}>
      <List
        path="/admin/campaigns"
        label={t('campaign.title')}
        columns={columns}
        filters={filters}
        to={(c) => `/admin/campaigns/${c.id}`}
        name={(c) => c.name}
        empty={{ title: t('campaign.empty'), text: t('campaign.emptyText') }}
      />
    </Page>
  );
}

export default administrators(Campaigns);
