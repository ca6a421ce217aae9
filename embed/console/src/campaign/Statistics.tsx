import { useThrottledValue } from '@mantine/hooks';
import { Anchor, Grid, Paper, Progress, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { codeWord, Failed, late, Link, Num, type Schema, ThingById, useFormat, useGet, When } from '@shell';
import { memo, type ReactNode, Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { recentPerHour } from './estimate';
import type { Campaign } from './model';

const Hours = late(() => import('./Charts').then((m) => ({ default: m.Hours })));
const Outcomes = late(() => import('./Charts').then((m) => ({ default: m.Outcomes })));

/** How often charts are drawn anew at most while a campaign runs, in ms. */
const redraw = 3000;

/** A campaign in figures, drawn where seeing is quicker than reading. */
export function Statistics({ campaign: c }: { campaign: Campaign }) {
  const { data: s, error, refetch } = useGet('/campaigns/{id}/statistics', { path: { id: c.id } });
  if (error && !s) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!s) return <Skeleton h={360} />;
  return <Drawn statistics={s} running={c.status === 'RUNNING'} startedAt={c.started_at} />;
}

/** The figures, in pieces that leave the browser time for what the person does meanwhile. */
interface Life {
  running: boolean;
  startedAt: string | null;
}

function Drawn({ statistics, ...life }: Life & { statistics: Schema<'CampaignStatistics'> }) {
  const s = useDeferredValue(statistics);
  return <Parts statistics={s} charts={useDeferredValue(useThrottledValue(statistics, redraw))} {...life} />;
}

const Parts = memo(function Parts({
  statistics: s,
  charts,
  ...life
}: Life & {
  statistics: Schema<'CampaignStatistics'>;
  charts: Schema<'CampaignStatistics'>;
}) {
  const { t } = useTranslation('campaign');
  return (
    <Stack>
      <Figures statistics={s} {...life} />
      <Grid>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper h="100%">
            <Title order={2} mb="sm">
              {t('chart.outcomes')}
            </Title>
            <Suspense fallback={<Skeleton h={140} />}>
              <Outcomes totals={charts.totals} />
            </Suspense>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper>
            <Title order={2} mb="sm">
              {t('chart.byHour')}
            </Title>
            <Suspense fallback={<Skeleton h={240} />}>
              <Hours hours={charts.timeline} />
            </Suspense>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <ByAccount rows={s.by_account} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <ByReason rows={s.by_error} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
});

function Figures({ statistics: s, running, startedAt }: Life & { statistics: Schema<'CampaignStatistics'> }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  // While it runs: how fast it goes now.
  const speed = (running && recentPerHour(s.timeline, startedAt)) || s.throughput_per_hour;
  const share = (n: number | null) => (n === null ? '–' : f.percent(n));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <Figure label={t('figure.delivered')} value={share(s.delivery_rate)} />
      <Figure label={t('figure.read')} value={<Num value={s.read} />} />
      <Figure
        label={t('figure.replied')}
        value={
          <>
            <Num value={s.replied} />{' '}
            <Text span size="sm" c="dimmed">
              {share(s.reply_rate)}
            </Text>
          </>
        }
      />
      <Figure label={t('figure.optedOut')} value={<Num value={s.opted_out_after} />} />
      <Figure label={t('figure.perHour')} value={<Num value={Math.round(speed)} />} />
      {s.estimated_finish_at && (
        <Figure
          label={t('figure.finish')}
          value={
            <Text span size="md">
              <When at={s.estimated_finish_at} />
            </Text>
          }
        />
      )}
    </SimpleGrid>
  );
}

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <Paper p="sm" style={{ display: 'flex', flexDirection: 'column', justifyContent: 'space-between' }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz={22} fw={650} lh={1.3} component="div">
        {value}
      </Text>
    </Paper>
  );
}

function ByAccount({ rows }: { rows: readonly Schema<'CampaignAccountStats'>[] }) {
  const { t } = useTranslation('campaign');
  if (rows.length === 0) return null;
  return (
    <Paper h="100%">
      <Title order={2} mb="sm">
        {t('byAccount')}
      </Title>
      <Table aria-label={t('byAccount')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('accounts.account')}</Table.Th>
            <Table.Th ta="right">{t('totals.completed')}</Table.Th>
            <Table.Th ta="right">{t('totals.failed')}</Table.Th>
            <Table.Th ta="right" visibleFrom="xs">
              {t('figure.waited')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((a) => (
            <AccountLine key={a.account_id} account={a} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

const AccountLine = memo(function AccountLine({ account: a }: { account: Schema<'CampaignAccountStats'> }) {
  const { t } = useTranslation('campaign');
  return (
    <Table.Tr>
      <Table.Td>
        <ThingById id={a.account_id} />
      </Table.Td>
      <Table.Td ta="right">
        <Num value={a.delivered} />
      </Table.Td>
      <Table.Td ta="right">
        <Num value={a.failed} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="xs">
        {a.cooldown_seconds > 0 ? t('figure.minutes', { count: Math.ceil(a.cooldown_seconds / 60) }) : '–'}
      </Table.Td>
    </Table.Tr>
  );
});

/** Why people did not get it, the most frequent reason first. */
function ByReason({ rows }: { rows: readonly Schema<'CampaignErrorStats'>[] }) {
  const { t } = useTranslation('campaign');
  const most = Math.max(1, ...rows.map((r) => r.count));
  if (rows.length === 0) return null;
  return (
    <Paper h="100%">
      <Title order={2} mb="sm">
        {t('chart.reasons')}
      </Title>
      <Stack gap="xs">
        {rows.map((r) => {
          const words = codeWord(r.error_code);
          return (
            <div key={r.error_code}>
              <Text size="sm">
                <Anchor
                  component={Link}
                  to="."
                  search={{ tab: 'people', error_code: r.error_code } as never}
                  inherit
                  c="inherit"
                  underline="always"
                >
                  {words}
                </Anchor>{' '}
                <b>
                  <Num value={r.count} />
                </b>
              </Text>
              <Progress value={(r.count / most) * 100} size="sm" color="red.6" aria-label={words} />
            </div>
          );
        })}
      </Stack>
    </Paper>
  );
}
