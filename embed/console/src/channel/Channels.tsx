import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Beside, type Column, Link, List, Page, Status, useAction, useCan, useGet, When } from '@shell';
import { IconSettings } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AddVideo } from './AddVideo';
import { Connect } from './Connect';
import { type Channel, outcomeOf } from './types';

/** Accounts of the photo and the page network, and what came of a consent page. */
export default function Channels() {
  const { t } = useTranslation('channel');
  const outcome = outcomeOf(useSearch({ strict: false }) as Record<string, unknown>);
  const { data: providers } = useGet('/channels/providers', {});
  const columns = useMemo<Column<Channel>[]>(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        render: (c) => (
          <>
            {c.name}
            <Beside>{t(`network.${c.platform}`)}</Beside>
          </>
        ),
      },
      { key: 'status', title: t('column.status'), render: (c) => <Status state={c.status} label={t(`status.${c.status}`)} /> },
      { key: 'event', title: t('column.event'), from: 'md', render: (c) => <When at={c.last_event_at} /> },
    ],
    [t],
  );
  const simulated = providers?.data.some((p) => p.simulated);
  const ready = (network: string) => providers?.data.some((p) => p.platform === network && p.configured);
  const connect = (
    <>
      {ready('PHOTO_NETWORK') && <Connect network="PHOTO_NETWORK" />}
      {ready('PAGE_NETWORK') && <Connect network="PAGE_NETWORK" />}
      {ready('VIDEO_NETWORK') && <AddVideo />}
    </>
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Button component={Link} to="/channels/setup" variant="default" leftSection={<IconSettings size={17} aria-hidden />}>
            {t('setup.open')}
          </Button>
          {connect}
        </>
      }
    >
      <Stack>
        {simulated && <Alert color="yellow">{t('simulated')}</Alert>}
        {outcome.error && (
          <Alert color="red" role="alert">
            {t([`error.${outcome.error}`, 'error.other'])}
          </Alert>
        )}
        {outcome.connected > 0 && (
          <Alert color="green" role="status">
            {t('connected', { count: outcome.connected })}
          </Alert>
        )}
        {outcome.pending > 0 && <Pending state={outcome.state} />}
        <List
          path="/channels/accounts"
          label={t('title')}
          columns={columns}
          to={(c) => `/channels/${c.id}`}
          name={(c) => c.name}
          empty={{ title: t('empty.title'), text: t('empty.text'), action: <Group>{connect}</Group> }}
        />
      </Stack>
    </Page>
  );
}

/** Pages that were allowed together: a person chooses which are connected. */
function Pending({ state }: { state: string }) {
  const { t } = useTranslation('channel');
  const can = useCan();
  const { data } = useGet('/channels/accounts', { query: { pending: true, state } });
  const activate = useAction('patch', '/channels/accounts/{id}', { stale: ['/channels/accounts'], done: t('pending.done') });
  if (!data || data.data.length === 0) return null;
  return (
    <Paper component="section" aria-label={t('pending.title')}>
      <Title order={2} mb="xs">
        {t('pending.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('pending.lead')}
      </Text>
      <Stack gap="xs">
        {data.data.map((c) => (
          <Group key={c.id} justify="space-between" wrap="nowrap">
            <div>
              <Text>{c.name}</Text>
              {c.status_reason && (
                <Text size="sm" c="dimmed">
                  {c.status_reason}
                </Text>
              )}
            </div>
            {can('accounts:manage') && !c.status_reason && (
              <Button
                size="xs"
                loading={activate.pending}
                onClick={() => void activate.run({ path: { id: c.id }, body: { active: true } } as never)}
              >
                {t('pending.act', { name: c.name })}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
