import { Button, Group, Paper, SegmentedControl, Select, Skeleton, Stack } from '@mantine/core';
import { SellerSections } from '@kit';
import { dayOf, Empty, Failed, late, Link, Page, useGet, useListState } from '@shell';
import { IconChartBar } from '@tabler/icons-react';
import { Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figures, Reasons } from './Figures';
import { ByPerson, ByVersion } from './Performance';
import { Shadow } from './Shadow';

const Charts = late(() => import('./Charts'));
const periods = ['7', '30', '90', '365'] as const;
const usual = '30';
const names = ['period', 'business_id'];
const dayLength = 86_400_000;
/** ms that figures may be old before an event has them read again: they are sums of days. */
const rest = 5000;

/** How conversations go, how versions of the prompt and people do, and whether the next level would do. */
export default function Results() {
  const { t } = useTranslation('seller');
  const state = useListState(names);
  const [asked, business] = [state.filters.period, state.filters.business_id].map((v) => [v ?? []].flat()[0]);
  const period = periods.find((p) => p === asked) ?? usual;
  const from = useMemo(() => dayOf(Date.now() - (Number(period) - 1) * dayLength), [period]);
  const query = { from, ...(business ? { business_id: business } : {}) };
  const a = useGet('/ai/analytics', { query }, { keep: true, rest });
  const p = useGet('/ai/performance', { query }, { keep: true, rest });
  const businesses = useGet('/ai/businesses', { query: { limit: 100 } });
  const all = businesses.data?.data ?? [];
  const error = a.error ?? p.error;
  const again = () => {
    void a.refetch();
    void p.refetch();
  };
  const any = a.data && a.data.conversations.active + a.data.messages.in + a.data.messages.out_ai + a.data.messages.out_human > 0;
  return (
    <Page
      title={t('nav.results')}
      lead={t('results.lead')}
      actions={
        <Group gap="xs">
          {all.length > 1 && (
            <Select
              w={200}
              size="xs"
              aria-label={t('leads.business')}
              placeholder={t('results.allBusinesses')}
              clearable
              data={all.map((b) => ({ value: b.id, label: b.name }))}
              value={business ?? null}
              onChange={(v) => state.set({ business_id: v ?? undefined })}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t('results.period')}
            value={period}
            onChange={(v) => state.set({ period: v === usual ? undefined : v })}
            data={periods.map((value) => ({ value, label: t(`results.last.${value}`) }))}
          />
        </Group>
      }
    >
      <SellerSections />
      {error && !a.data && <Failed error={error} onAgain={again} />}
      {!a.data && !error && <Skeleton h={320} />}
      {a.data && !any && (
        <Paper p={0}>
          <Empty
            icon={<IconChartBar size={32} stroke={1.4} aria-hidden />}
            title={t('results.empty')}
            text={t('results.emptyText')}
            action={
              <Button component={Link} to="/ai/businesses/start">
                {t('leads.start')}
              </Button>
            }
          />
        </Paper>
      )}
      {a.data && any && (
        <Stack>
          <Figures of={a.data} />
          <Suspense fallback={<Skeleton h={340} />}>
            <Charts series={a.data.series} />
          </Suspense>
          <Reasons of={a.data} />
          {p.data && (
            <>
              <Shadow of={p.data.shadow} />
              <ByVersion of={p.data.by_prompt_version} whole={business !== undefined} />
              <ByPerson of={p.data.by_user} whole={business !== undefined} />
            </>
          )}
        </Stack>
      )}
    </Page>
  );
}
