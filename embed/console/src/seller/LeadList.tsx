import { actionWord } from '@kit';
import { type Column, type Filter, List, Pale, Status, useFormat, When } from '@shell';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { interests, type Lead, type Pipeline, qualities, statuses, worth } from './types';

/** The colour of how likely a sale is. */
export const colorOfQuality = { hot: 'orange', warm: 'yellow', cold: 'gray' } as const;
const colorOfStatus = { OPEN: 'blue', WON: 'green', LOST: 'gray' } as const;

/** Every lead, the newest first; it opens its conversation. */
export function LeadList({ pipeline, action }: { pipeline: Pipeline; action: ReactNode }) {
  const { t } = useTranslation('seller');
  return (
    <List
      path="/ai/leads"
      label={t('nav.leads')}
      columns={useColumns()}
      filters={useFilters(pipeline)}
      sort="-opened_at"
      to={(l) => `/inbox/${l.conversation_id}`}
      name={(l) => l.conversation?.name ?? t('leads.noName')}
      empty={{ title: t('leads.empty'), text: t(pipeline.data.length === 0 ? 'leads.noBusiness' : 'leads.emptyText'), action }}
    />
  );
}

function useColumns(): Column<Lead>[] {
  const { t } = useTranslation('seller');
  const f = useFormat();
  return useMemo(
    () => [
      {
        key: 'who',
        title: t('leads.name'),
        render: (l) => (
          <>
            <div>{l.conversation?.name ?? t('leads.noName')}</div>
            {l.next_step && <Pale>{t('leads.next', { step: actionWord(l.next_step) })}</Pale>}
          </>
        ),
      },
      { key: 'stage', title: t('leads.stage'), render: (l) => l.stage_name ?? l.stage ?? '–' },
      {
        key: 'quality',
        title: t('quality.title'),
        render: (l) => <Status state={l.quality} color={colorOfQuality[l.quality]} label={t(`quality.${l.quality}`)} />,
      },
      { key: 'interest', title: t('interest.title'), from: 'lg', render: (l) => (l.interest ? t(`interest.${l.interest}`) : '–') },
      {
        key: 'value',
        title: t('leads.value'),
        sort: 'value_estimate',
        align: 'right',
        render: (l) => <span style={{ whiteSpace: 'nowrap' }}>{worth(f, l.value_estimate, l.currency) ?? '–'}</span>,
      },
      { key: 'offers', title: t('leads.offers'), from: 'lg', render: (l) => l.offers.map((o) => o.name).join(', ') || '–' },
      { key: 'business', title: t('leads.business'), from: 'lg', render: (l) => l.business?.name ?? '–' },
      {
        key: 'status',
        title: t('status.title'),
        from: 'md',
        render: (l) => <Status state={l.status} color={colorOfStatus[l.status]} label={t(`status.${l.status}`)} />,
      },
      { key: 'opened', title: t('leads.opened'), sort: 'opened_at', render: (l) => <When at={l.opened_at} /> },
      { key: 'updated', title: t('leads.updated'), sort: 'updated_at', from: 'lg', render: (l) => <When at={l.updated_at} /> },
    ],
    [t, f],
  );
}

function useFilters({ data }: Pipeline): Filter[] {
  const { t } = useTranslation('seller');
  return useMemo(() => {
    const businesses = new Map(data.map((f) => [f.business_id, f.business?.name ?? f.business_id]));
    const stages = new Map(data.flatMap((f) => f.stages.map((s) => [s.key, s.name] as const)));
    const named = (of: Map<string, string>) => [...of].map(([value, label]) => ({ value, label }));
    return [
      {
        kind: 'choice',
        key: 'status',
        label: t('status.title'),
        options: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      { kind: 'choice', key: 'stage', label: t('leads.stage'), options: named(stages) },
      {
        kind: 'choice',
        key: 'quality',
        label: t('quality.title'),
        options: qualities.map((value) => ({ value, label: t(`quality.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'interest',
        label: t('interest.title'),
        rare: true,
        options: interests.map((value) => ({ value, label: t(`interest.${value}`) })),
      },
      { kind: 'choice', key: 'business_id', label: t('leads.business'), rare: true, options: named(businesses) },
      {
        kind: 'choice',
        key: 'funnel_id',
        label: t('leads.funnel'),
        rare: true,
        options: data.map((x) => ({ value: x.funnel_id, label: nameOf(x, data.length > businesses.size) })),
      },
    ];
  }, [t, data]);
}

/** What a funnel is called among those of several businesses. */
export const nameOf = (f: Pipeline['data'][number], several = true): string =>
  [f.business?.name, several && f.funnel?.name].filter(Boolean).join(' · ') || f.funnel_id;
