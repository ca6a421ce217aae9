import { Alert, Button, Grid, Group, Progress, Skeleton, Text, Tooltip } from '@mantine/core';
import { Bubble, wordsOf } from '@kit';
import { type Above, Copy, Failed, NotFound, Num, Page, useAction, useFormat, useGet, When } from '@shell';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AskReason, because, useReason } from './AskReason';
import type { CampaignShown } from './Campaigns';
import { administrators } from './Guard';
import { Fact, Facts, OrgLink, Part, State, wordOr } from './parts';

function Campaign() {
  const { t } = useTranslation('admin');
  const { id = '' } = useParams({ strict: false });
  const { data: c, error, refetch } = useGet('/admin/campaigns/{id}', { path: { id } });
  const above: Above[] = [{ label: t('campaign.title'), to: '/admin/campaigns' }];
  if (error?.status === 404) return <NotFound />;
  if (!c)
    return (
      <Page title={t('column.campaign')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page title={c.name} above={above} badge={<State kind="campaign" state={c.status} />} actions={<Actions campaign={c} />}>
      {c.status === 'PAUSED' && c.pause_reason && (
        <Alert color="yellow" mb="md" title={wordOr(`pause.${c.pause_reason}`, c.pause_reason)}>
          {c.admin_reason && `${t('campaign.because', { reason: c.admin_reason })} `}
          {t(c.pause_reason === 'ADMIN' ? 'campaign.pausedHere' : 'campaign.pausedThere')}
        </Alert>
      )}
      {c.status === 'CANCELLED' && c.admin_reason && (
        <Alert color="gray" mb="md">
          {t('campaign.because', { reason: c.admin_reason })}
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Part title={t('campaign.progress')}>
            <Totals of={c.totals} />
          </Part>
          <Part title={t('details')}>
            <Details of={c} />
          </Part>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Part title={t('campaign.message')} lead={t('campaign.messageLead')}>
            <Bubble text={wordsOf(c.message)} entities={null} files={[]} />
          </Part>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

const parts = [
  ['completed', 'teal.7'],
  ['failed', 'red.7'],
  ['skipped', 'gray.6'],
  ['cancelled', 'gray.4'],
  ['pending', 'blue'],
] as const;

function Totals({ of: n }: { of: CampaignShown['totals'] }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  if (n.total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('campaign.notBegun')}
      </Text>
    );
  return (
    <>
      <Progress.Root size="lg">
        {parts.map(
          ([key, color]) =>
            n[key] > 0 && (
              <Tooltip key={key} label={`${t(`campaign.${key}`)}: ${f.number(n[key])}`}>
                <Progress.Section value={(n[key] / n.total) * 100} color={color} aria-label={t(`campaign.${key}`)} />
              </Tooltip>
            ),
        )}
      </Progress.Root>
      <Group gap="lg">
        {parts.map(([key]) => (
          <Text key={key} size="sm">
            {t(`campaign.${key}`)}:{' '}
            <b>
              <Num value={n[key]} />
            </b>
          </Text>
        ))}
      </Group>
    </>
  );
}

function Details({ of: c }: { of: CampaignShown }) {
  const { t } = useTranslation('admin');
  return (
    <Facts>
      <Fact label={t('column.organization')}>
        <OrgLink of={c.organization} />
      </Fact>
      <Fact label={t('campaign.people')}>
        <Num value={c.totals.total || c.audience.recipient_count} />
      </Fact>
      <Fact label={t('campaign.accounts')}>{c.accounts.map((a) => a.name ?? t('report.goneAccount')).join(', ')}</Fact>
      <Fact label={t('campaign.scheduled')}>{c.scheduled_at && <When at={c.scheduled_at} exact />}</Fact>
      <Fact label={t('campaign.started')}>{c.started_at && <When at={c.started_at} exact />}</Fact>
      <Fact label={t('campaign.finishes')}>
        {(c.finished_at ?? c.estimated_finish_at) && <When at={c.finished_at ?? c.estimated_finish_at} exact />}
      </Fact>
      <Fact label={t('column.created')}>
        <When at={c.created_at} exact />
      </Fact>
      <Fact label={t('id')}>
        <Copy value={c.id} small />
      </Fact>
    </Facts>
  );
}

const stoppable = ['SCHEDULED', 'RUNNING'];

function Actions({ campaign: c }: { campaign: CampaignShown }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<'pause' | 'resume' | 'cancel'>();
  const form = useReason({ optional: asked === 'resume' });
  const close = () => {
    setAsked(undefined);
    form.reset();
  };
  const options = { form, stale: ['/admin'], then: close };
  const pause = useAction('post', '/admin/campaigns/{id}/pause', { ...options, done: t('campaign.pauseDone', { name: c.name }) });
  const resume = useAction('post', '/admin/campaigns/{id}/resume', { ...options, done: t('campaign.resumeDone', { name: c.name }) });
  const cancel = useAction('post', '/admin/campaigns/{id}/cancel', { ...options, done: t('campaign.cancelDone', { name: c.name }) });
  const path = { id: c.id };
  const left = c.totals.total > 0 ? c.totals.pending : c.audience.recipient_count;
  const common = { form, onClose: close };
  return (
    <>
      {stoppable.includes(c.status) && (
        <Button variant="default" leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setAsked('pause')}>
          {t('campaign.pause')}
        </Button>
      )}
      {c.status === 'PAUSED' && c.pause_reason === 'ADMIN' && (
        <Button variant="default" leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setAsked('resume')}>
          {t('campaign.resume')}
        </Button>
      )}
      {[...stoppable, 'PAUSED'].includes(c.status) && (
        <Button variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={() => setAsked('cancel')}>
          {t('campaign.cancel')}
        </Button>
      )}
      {asked === 'pause' && (
        <AskReason
          {...common}
          danger
          title={t('campaign.pauseTitle', { name: c.name })}
          act={t('campaign.pause')}
          pending={pause.pending}
          consequence={t('campaign.pauseText', { count: left })}
          onConfirm={(reason) => void pause.run({ path, body: { reason } })}
        />
      )}
      {asked === 'resume' && (
        <AskReason
          {...common}
          optional
          title={t('campaign.resumeTitle', { name: c.name })}
          act={t('campaign.resume')}
          pending={resume.pending}
          consequence={t('campaign.resumeText', { count: left })}
          onConfirm={(reason) => void resume.run({ path, body: because(reason) })}
        />
      )}
      {asked === 'cancel' && (
        <AskReason
          {...common}
          danger
          word={t('campaign.word')}
          title={t('campaign.cancelTitle', { name: c.name })}
          act={t('campaign.cancel')}
          pending={cancel.pending}
          consequence={
            <>
              {t('campaign.cancelText', { count: left })} {c.repeat !== null && t('campaign.cancelSeries')}
            </>
          }
          onConfirm={(reason) => void cancel.run({ path, body: { reason } })}
        />
      )}
    </>
  );
}

export default administrators(Campaign);
