import { Alert, Button, DataList, Grid, Paper, Progress, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { Confirm, Failed, NotFound, Page, Status, useAction, useCan, useGet, useNavigate, When } from '@shell';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Connect } from './Connect';
import { Replies } from './Replies';
import SyncCard from './SyncCard';
import { type Channel, needsConnect } from './types';

/** One account of a network: whether it works, and what to do if not. */
export default function ChannelPage() {
  const { t } = useTranslation('channel');
  const { id = '' } = useParams({ strict: false });
  const { data: c, error, refetch } = useGet('/channels/accounts/{id}', { path: { id } });
  const above = [{ label: t('title'), to: '/channels' as const }];
  if (error?.status === 404) return <NotFound />;
  if (!c)
    return (
      <Page title={t('account')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page
      title={c.name}
      above={above}
      badge={<Status state={c.status} label={t(`status.${c.status}`)} />}
      actions={<Actions channel={c} />}
    >
      <Stack>
        {c.status_reason && <Alert color={c.status === 'CONNECTED' ? 'yellow' : 'red'}>{c.status_reason}</Alert>}
        {c.missing_scopes.length > 0 && c.status === 'CONNECTED' && <Connect network={c.platform as 'PHOTO_NETWORK'}>{t('again')}</Connect>}
        {c.held_until && (
          <Alert color="red">
            {t('held')} <When at={c.held_until} />
          </Alert>
        )}
        <Grid>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              <Facts channel={c} />
              <SyncCard id={c.id} reads={c.status === 'CONNECTED' || c.status === 'PUBLIC'} />
            </Stack>
          </Grid.Col>
          {c.platform !== 'VIDEO_NETWORK' && (
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Paper>
                <Title order={2} mb="md">
                  {t('replies.title')}
                </Title>
                <Replies id={c.id} />
              </Paper>
            </Grid.Col>
          )}
        </Grid>
      </Stack>
    </Page>
  );
}

function Actions({ channel: c }: { channel: Channel }) {
  const { t } = useTranslation('channel');
  const can = useCan();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const check = useAction('post', '/channels/accounts/{id}/check', { stale: ['/channels/accounts'], done: t('checked') });
  const leave = useAction('delete', '/channels/accounts/{id}', {
    stale: ['/channels/accounts'],
    done: t('leave.done'),
    then: () => void navigate({ to: '/channels' }),
  });
  if (!can('accounts:manage')) return null;
  return (
    <>
      {needsConnect(c) ? (
        <Connect network={c.platform as 'PHOTO_NETWORK'} variant="filled">
          {t('again')}
        </Connect>
      ) : (
        <>
          <Button variant="default" loading={check.pending} onClick={() => void check.run({ path: { id: c.id } } as never)}>
            {t('check')}
          </Button>
          <Button variant="default" color="red" onClick={() => setLeaving(true)}>
            {t('leave.act')}
          </Button>
        </>
      )}
      {leaving && (
        <Confirm
          danger
          title={t('leave.title', { name: c.name })}
          consequence={t('leave.text')}
          act={t('leave.act')}
          pending={leave.pending}
          onConfirm={() => void leave.run({ path: { id: c.id } })}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  );
}

function Facts({ channel: c }: { channel: Channel }) {
  const { t } = useTranslation('channel');
  const can = useCan();
  const change = useAction('patch', '/channels/accounts/{id}', { stale: ['/channels/accounts'], done: t('saved') });
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('facts.title')}
      </Title>
      <DataList orientation="horizontal" labelWidth="min(160px, 45%)">
        <Line label={t('facts.network')}>{t(`network.${c.platform}`)}</Line>
        {c.platform !== 'VIDEO_NETWORK' && (
          <Line label={t('facts.webhooks')}>
            <Status state={c.webhooks_ok ? 'ACTIVE' : 'ERROR'} label={t(c.webhooks_ok ? 'facts.arrive' : 'facts.absent')} />
          </Line>
        )}
        <Line label={t('facts.event')}>
          <When at={c.last_event_at} />
        </Line>
        <Line label={t('facts.checked')}>
          <When at={c.last_checked_at} />
        </Line>
        <Line label={t('facts.token')}>{c.token_issued_at && <When at={c.token_issued_at} />}</Line>
        <Line label={t('facts.expires')}>{c.token_expires_at ? <When at={c.token_expires_at} exact /> : t('facts.never')}</Line>
        <Line label={t('facts.missing')}>{c.missing_scopes.join(', ')}</Line>
        {c.waits_until && (
          <Line label={t('facts.waits')}>
            <When at={c.waits_until} exact />
          </Line>
        )}
      </DataList>
      {c.usage_percent !== null && c.usage_percent !== undefined && (
        <>
          <Text size="sm" mt="sm">
            {t('facts.usage', { percent: c.usage_percent })}
          </Text>
          <Progress value={c.usage_percent} aria-label={t('facts.usage', { percent: c.usage_percent })} />
        </>
      )}
      {can('accounts:manage') && (
        <Switch
          mt="md"
          label={t('facts.history')}
          checked={c.history_import_enabled}
          onChange={(e) => void change.run({ path: { id: c.id }, body: { history_import_enabled: e.currentTarget.checked } } as never)}
        />
      )}
    </Paper>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{children || '–'}</DataList.ItemValue>
    </DataList.Item>
  );
}
