import { type Column, type Filter, List, Page, type Schema, useFormat, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { proxyStates } from './choices';
import { administrators } from './Guard';
import { OrgLink, State, useOrganizations } from './parts';

export type ProxyShown = Schema<'AdminProxy'>;
export const proxyName = (p: ProxyShown): string => p.name || `${p.host}:${p.port}`;

function Proxies() {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const organizations = JSON.stringify(useOrganizations());
  const columns = useMemo<Column<ProxyShown>[]>(
    () => [
      { key: 'name', title: t('column.proxy'), render: proxyName },
      { key: 'organization', title: t('column.organization'), render: (p) => <OrgLink of={p.organization} /> },
      { key: 'status', title: t('column.status'), render: (p) => <State kind="proxy" state={p.status} /> },
      { key: 'type', title: t('proxy.type'), from: 'md', render: (p) => (p.type === 'MTPROTO' ? 'MTProto' : p.type) },
      {
        key: 'latency',
        title: t('proxy.latency'),
        align: 'right',
        from: 'md',
        render: (p) => (p.latency_ms === null ? '–' : t('ms', { n: f.number(p.latency_ms) })),
      },
      { key: 'why', title: t('column.reason'), from: 'lg', render: (p) => p.disabled_reason ?? '–' },
      { key: 'checked', title: t('proxy.checked'), render: (p) => <When at={p.last_checked_at} /> },
    ],
    [t, f],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.status'),
        options: proxyStates.map((value) => ({ value, label: t(`state.proxy.${value}`) })),
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
    <Page title={t('proxy.title')} lead={t('proxy.lead')}>
      <List
        path="/admin/proxies"
        label={t('proxy.title')}
        columns={columns}
        filters={filters}
        to={(p) => `/admin/proxies/${p.id}`}
        name={proxyName}
        empty={{ title: t('proxy.empty'), text: t('proxy.emptyText') }}
      />
    </Page>
  );
}

export default administrators(Proxies);
