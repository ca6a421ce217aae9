import { Badge, DataList, Grid, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { type Above, Failed, NamedThing, NotFound, Page, Status, useGet, When } from '@shell';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Actions, NextButton } from './Actions';
import { Activity } from './Activity';
import { Campaigns } from './Campaigns';
import { type Account, accountName } from './name';
import { Settings } from './Settings';
import { AccountState, Explained, Today } from './State';

/** One account: whether it sends, what to do if not, its pace, and what happened. */
export default function AccountPage() {
  const { t } = useTranslation('account');
  const { id = '' } = useParams({ strict: false });
  const { data: a, error, refetch } = useGet('/accounts/{id}', { path: { id } });
  const above: Above[] = [{ label: t('title'), to: '/accounts' }];
  if (error?.status === 404) return <NotFound />;
  if (error && !a)
    return (
      <Page title={t('account')} above={above}>
        <Failed error={error} onAgain={() => void refetch()} />
      </Page>
    );
  if (!a)
    return (
      <Page title={t('account')} above={above}>
        <Skeleton h={240} />
      </Page>
    );
  return (
    <Page
      title={accountName(a)}
      above={above}
      badge={
        <>
          <AccountState account={a} />
          {a.premium && (
            <Badge color="grape" c="var(--mantine-color-text)">
              {t('premium')}
            </Badge>
          )}
        </>
      }
      actions={<Actions account={a} />}
    >
      <Explained account={a} action={<NextButton account={a} />} />
      <Grid>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <Paper>
              <Title order={2} mb="sm">
                {t('today.title')}
              </Title>
              <Today account={a} wide />
            </Paper>
            <Facts account={a} />
            <Campaigns id={a.id} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Settings key={a.id} account={a} />
            <Paper>
              <Title order={2} mb="md">
                {t('activity.title')}
              </Title>
              <Activity id={a.id} />
            </Paper>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Facts({ account: a }: { account: Account }) {
  const { t } = useTranslation('account');
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('facts.title')}
      </Title>
      <DataList orientation="horizontal" labelWidth="min(150px, 45%)">
        <Line label={t('facts.phone')}>{a.phone_masked}</Line>
        <Line label={t('facts.username')}>{a.username && `@${a.username}`}</Line>
        <Line label={t('column.connection')}>
          <Status state={a.connection} label={t(`connection.${a.connection}`)} />
        </Line>
        <Line label={t('facts.seen')}>
          <When at={a.last_seen_at} />
        </Line>
        <Line label={t('facts.checked')}>
          <When at={a.last_checked_at} />
        </Line>
        <Line label={t('column.lastSent')}>
          <When at={a.last_sent_at} />
        </Line>
        <Line label={t('facts.proxy')}>{a.proxy ? <NamedThing of={a.proxy} /> : t('direct')}</Line>
        <Line label={t('facts.since')}>
          <When at={a.status_changed_at} exact />
        </Line>
        <Line label={t('facts.connected')}>
          <When at={a.created_at} exact />
        </Line>
      </DataList>
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
