import { Anchor, Button, Group, Paper, Select, Skeleton } from '@mantine/core';
import { type Column, late, Link, List, Num, Page, type Schema, useFormat, useGet, useListState } from '@shell';
import { IconDownload } from '@tabler/icons-react';
import { Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { mostOfAList } from './parts';
import { monthsBack } from './months';

type Bill = Schema<'AdminBill'>;
const Sent = late(() => import('./charts').then((m) => ({ default: m.Sent })));

/** How many months back can be chosen, and how many organizations are drawn. */
const months = 24;
const drawn = 10;

/** What each organization used in a month. */
function Billing() {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const state = useListState(useMemo(() => ['period'], []));
  const choices = monthsBack(new Date(), months);
  const period = [state.filters.period ?? choices[0]!].flat()[0]!;
  const columns = useMemo<Column<Bill>[]>(
    () => [
      {
        key: 'name',
        title: t('column.organization'),
        render: (b) => (
          <Anchor component={Link} to={`/admin/organizations/${b.organization_id}`} size="sm" c="inherit" fw={550}>
            {b.name}
          </Anchor>
        ),
      },
      { key: 'plan', title: t('column.plan'), render: (b) => t(`plan.${b.plan}`) },
      { key: 'sent', title: t('billing.sent'), align: 'right', render: (b) => <Num value={b.messages_sent} /> },
      { key: 'recipients', title: t('billing.recipients'), align: 'right', render: (b) => <Num value={b.recipients} /> },
      { key: 'accounts', title: t('billing.accounts'), align: 'right', render: (b) => <Num value={b.accounts} /> },
    ],
    [t],
  );
  const csv = `/api/v1/admin/billing?${new URLSearchParams({ period, format: 'csv' })}`;
  return (
    <Page
      title={t('billing.title')}
      lead={t('billing.lead')}
      actions={
        <Button component="a" variant="default" href={csv} download leftSection={<IconDownload size={17} aria-hidden />}>
          {t('billing.download')}
        </Button>
      }
    >
      <Group mb="md">
        <Select
          aria-label={t('billing.month')}
          data={choices.map((value) => ({ value, label: f.month(`${value}-01T00:00:00Z`) }))}
          value={period}
          allowDeselect={false}
          onChange={(v) => state.set({ period: !v || v === choices[0] ? undefined : v })}
        />
      </Group>
      <Top period={period} />
      <List
        path="/admin/billing"
        id={(b) => b.organization_id}
        label={t('billing.title')}
        columns={columns}
        fixed={{ period }}
        name={(b) => b.name}
        empty={{ title: t('billing.empty'), text: t('billing.emptyText') }}
      />
    </Page>
  );
}

function Top({ period }: { period: string }) {
  const { t } = useTranslation('admin');
  const { data } = useGet('/admin/billing', { query: { period, limit: mostOfAList } }, { keep: true });
  const rows = (data?.data ?? [])
    .filter((b) => b.messages_sent > 0)
    .sort((a, b) => b.messages_sent - a.messages_sent)
    .slice(0, drawn);
  if (rows.length === 0) return null;
  return (
    <Paper mb="md">
      <Suspense fallback={<Skeleton h={200} />}>
        <Sent rows={rows} label={t('billing.sent')} />
      </Suspense>
    </Paper>
  );
}

export default administrators(Billing);
