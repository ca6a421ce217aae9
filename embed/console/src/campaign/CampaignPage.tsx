import { Alert, Button, DataList, Group, Paper, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { MessageBubble } from '@kit';
import { type Above, Failed, Link, NamedThing, NotFound, Num, Page, ThingById, useCan, useFormat, useGet, useNavigate, When } from '@shell';
import { IconListCheck, IconPencil } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Actions, ResumeButton } from './Actions';
import { JobTable } from './JobTable';
import { type Campaign, hasEnded } from './model';
import { People } from './People';
import { Rule } from './Rule';
import { Series } from './Series';
import { FollowUp } from './FollowUp';
import { CampaignState, Explained, ProgressBar, sentOf } from './State';
import { Statistics } from './Statistics';

const tabs = ['figures', 'people', 'jobs', 'about'] as const;
type Tab = (typeof tabs)[number];

/** One campaign, live: how far it is, why it waits, who got it and who did not. */
export default function CampaignPage() {
  const { t } = useTranslation('campaign');
  const { id = '' } = useParams({ strict: false });
  const { data: c, error, refetch } = useGet('/campaigns/{id}', { path: { id } });
  const above: Above[] = [{ label: t('title'), to: '/campaigns' }];
  if (error?.status === 404) return <NotFound />;
  if (error && !c)
    return (
      <Page title={t('campaign')} above={above}>
        <Failed error={error} onAgain={() => void refetch()} />
      </Page>
    );
  if (!c)
    return (
      <Page title={t('campaign')} above={above}>
        <Skeleton h={300} />
      </Page>
    );
  return (
    <Page
      title={c.name}
      lead={c.description ?? undefined}
      above={above}
      badge={<CampaignState campaign={c} />}
      actions={
        <>
          <FollowUp campaign={c} />
          <Actions campaign={c} />
        </>
      }
    >
      {c.status === 'DRAFT' ? <DraftView campaign={c} /> : <Live campaign={c} />}
    </Page>
  );
}

function DraftView({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const can = useCan();
  return (
    <Stack>
      <Alert color="blue">
        <Stack gap="xs">
          <Text size="sm">{t('draftText')}</Text>
          {can('campaigns:manage') && (
            <Group gap="xs">
              <Button size="sm" component={Link} to={`/campaigns/${c.id}/edit`} leftSection={<IconPencil size={16} aria-hidden />}>
                {t('edit.open')}
              </Button>
              <Button
                size="sm"
                variant="default"
                component={Link}
                to={`/campaigns/${c.id}/checks`}
                leftSection={<IconListCheck size={16} aria-hidden />}
              >
                {t('edit.checks')}
              </Button>
            </Group>
          )}
        </Stack>
      </Alert>
      <About campaign={c} />
    </Stack>
  );
}

function Live({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const navigate = useNavigate();
  const { tab: asked } = useSearch({ strict: false }) as { tab?: string };
  const tab = tabs.includes(asked as Tab) ? (asked as Tab) : 'figures';
  return (
    <>
      <Explained campaign={c} action={<ResumeButton campaign={c} />} />
      <Paper mb="md">
        <Group justify="space-between" mb={6}>
          <Text size="sm">
            {t('progress.sent', { sent: f.number(sentOf(c.totals)), total: f.number(c.totals.total - c.totals.skipped) })}
            {c.totals.skipped > 0 && <> · {t('progress.skipped', { count: c.totals.skipped })}</>}
          </Text>
          <Text size="sm" c="dimmed">
            {hasEnded(c) ? (
              <When at={c.finished_at} exact />
            ) : c.status === 'SCHEDULED' ? (
              <>
                {t('progress.begins')} <When at={c.scheduled_at} exact />
              </>
            ) : (
              c.estimated_finish_at && (
                <>
                  {t('progress.finish')} <When at={c.estimated_finish_at} exact />
                </>
              )
            )}
          </Text>
        </Group>
        <ProgressBar totals={c.totals} big />
      </Paper>
      <Tabs
        value={tab}
        onChange={(v) =>
          void navigate({ to: '.', search: (v === 'figures' ? {} : { tab: v }) as never, replace: true, resetScroll: false })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((x) => (
            <Tabs.Tab key={x} value={x}>
              {t(`tab.${x}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="figures">
          <Statistics campaign={c} />
        </Tabs.Panel>
        <Tabs.Panel value="people">
          <People campaign={c} />
        </Tabs.Panel>
        <Tabs.Panel value="jobs">
          <JobTable campaign={c.id} />
        </Tabs.Panel>
        <Tabs.Panel value="about">
          <About campaign={c} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** What the campaign is: message, people, accounts, times, and the runs of its series. */
function About({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const line = (label: string, value: ReactNode) => (
    <DataList.Item key={label}>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value || '–'}</DataList.ItemValue>
    </DataList.Item>
  );
  const things = (ids: readonly string[]) =>
    ids.length > 0 &&
    ids.map((id, i) => (
      <span key={id}>
        {i > 0 && ', '}
        <ThingById id={id} />
      </span>
    ));
  const w = c.sending_window;
  return (
    <Stack>
      <Paper>
        <DataList orientation="horizontal" labelWidth="min(190px, 40%)">
          {line(
            t('step.accounts'),
            c.accounts.map((a, i) => (
              <span key={a.id}>
                {i > 0 && ', '}
                <NamedThing of={a} />
              </span>
            )),
          )}
          {line(t('audience.lists'), things(c.audience.list_ids))}
          {line(t('audience.tags'), c.audience.tags.join(', '))}
          {line(t('audience.people'), c.audience.recipient_count > 0 && <Num value={c.audience.recipient_count} />)}
          {line(t('when.begin'), c.started_at || c.scheduled_at ? <When at={c.started_at ?? c.scheduled_at} exact /> : t('when.now'))}
          {line(t('when.end'), c.end_at && <When at={c.end_at} exact />)}
          {line(t('window.title'), w && `${w.start}–${w.end}`)}
          {line(t('when.zone'), c.timezone)}
          {c.repeat && line(t('repeat.title'), <Rule campaign={c} />)}
        </DataList>
      </Paper>
      <Paper>
        <Title order={2} mb="sm">
          {t('step.message')}
        </Title>
        <MessageBubble message={c.message} />
      </Paper>
      {c.series && <Series campaign={c} />}
    </Stack>
  );
}
