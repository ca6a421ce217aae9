import { Button } from '@mantine/core';
import { type Column, type Filter, Link, List, Page, useCan, When } from '@shell';
import { IconPlus, IconRepeat } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, states } from './model';
import { CampaignState, ProgressBar } from './State';

export default function CampaignList() {
  const { t } = useTranslation('campaign');
  const can = useCan();
  const columns = useColumns();
  const filters = useMemo(
    (): Filter[] => [
      { kind: 'choice', key: 'status', label: t('column.state'), options: states.map((value) => ({ value, label: t(`state.${value}`) })) },
    ],
    [t],
  );
  const add = can('campaigns:manage') && (
    <Button component={Link} to="/campaigns/new" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={add}>
      <List
        path="/campaigns"
        label={t('title')}
        columns={columns}
        filters={filters}
        search={t('search')}
        sort="-created_at"
        to={(c) => `/campaigns/${c.id}`}
        name={(c) => c.name}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: add }}
      />
    </Page>
  );
}

function useColumns(): Column<Campaign>[] {
  const { t } = useTranslation('campaign');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        sort: 'name',
        render: (c) => (
          <>
            {c.name}
            {(c.repeat || c.series) && (
              <IconRepeat size={15} style={{ marginInlineStart: 6, verticalAlign: -2 }} role="img" aria-label={t('repeats')} />
            )}
          </>
        ),
      },
      { key: 'state', title: t('column.state'), render: (c) => <CampaignState campaign={c} /> },
      { key: 'why', title: t('column.why'), from: 'lg', render: (c) => <Why campaign={c} /> },
      { key: 'progress', title: t('column.progress'), render: (c) => <ProgressBar totals={c.totals} /> },
      {
        key: 'begin',
        title: t('column.begins'),
        sort: 'scheduled_at',
        from: 'md',
        render: (c) => <When at={c.started_at ?? c.scheduled_at} />,
      },
      { key: 'finish', title: t('column.finish'), from: 'lg', render: (c) => <When at={c.finished_at ?? c.estimated_finish_at} /> },
      { key: 'created', title: t('column.created'), sort: 'created_at', from: 'md', render: (c) => <When at={c.created_at} /> },
    ],
    [t],
  );
}

/** In two words why it does not send. */
function Why({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const text =
    c.status === 'PAUSED' && c.pause_reason
      ? t(`pauseShort.${c.pause_reason}`)
      : c.status === 'RUNNING' && c.waiting_reason
        ? t(`waitingShort.${c.waiting_reason}`)
        : '–';
  return <>{text}</>;
}
