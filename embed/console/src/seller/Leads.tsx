import { SegmentedControl, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { SellerSections } from '@kit';
import { Failed, Page, useGet, useListState } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Board } from './Board';
import { LeadList } from './LeadList';
import { Next, Nothing } from './Nothing';

const phone = '(max-width: 47.99em)';
const names = ['view', 'currency'];
const views = ['board', 'list'] as const;

/** What conversations may become: by stage on a board, or as a list; on a phone the list comes first. */
export default function Leads() {
  const { t } = useTranslation('seller');
  const narrow = useMediaQuery(phone, undefined, { getInitialValueInEffect: false });
  const state = useListState(names);
  const [asked, currency] = [state.filters.view, state.filters.currency].map((v) => [v ?? []].flat()[0]);
  const usual = narrow ? 'list' : 'board';
  const view = views.find((v) => v === asked) ?? usual;
  const query = useMemo(() => (currency ? { currency } : {}), [currency]);
  const { data: pipeline, error, refetch } = useGet('/ai/sales-pipeline', { query }, { keep: true });
  return (
    <Page
      title={t('nav.leads')}
      lead={t('leads.lead')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('leads.view')}
          value={view}
          onChange={(v) => state.set({ view: v === usual ? undefined : v })}
          data={views.map((value) => ({ value, label: t(`leads.${value}`) }))}
        />
      }
    >
      <SellerSections />
      {error && !pipeline && <Failed error={error} onAgain={() => void refetch()} />}
      {!pipeline && !error && <Skeleton h={320} />}
      {pipeline && view === 'board' && <Board pipeline={pipeline} empty={<Nothing pipeline={pipeline} />} />}
      {pipeline && view === 'list' && <LeadList pipeline={pipeline} action={<Next pipeline={pipeline} />} />}
    </Page>
  );
}
