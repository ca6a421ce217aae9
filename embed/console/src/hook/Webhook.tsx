import { Alert, Anchor, Button, DataList, Grid, Group, Paper, Skeleton, Title } from '@mantine/core';
import { type Above, Copy, Failed, Link, NamedThing, NotFound, Page, useCan, useGet, When } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Actions } from './Actions';
import { Deliveries } from './Deliveries';
import { hostOf, mostFailures, probedFrom, type Webhook as Hook } from './health';
import { Enable, useRecover } from './Questions';
import { Health } from './Webhooks';
import { useEventWords } from './words';

/** One endpoint: where it is, how it does, what it was sent. */
export default function Webhook() {
  const { t } = useTranslation('hook');
  const { id = '' } = useParams({ strict: false });
  const { data: w, error, refetch } = useGet('/webhooks/{id}', { path: { id } });
  const above: Above[] = [{ label: t('title'), to: '/webhooks' }];
  if (error?.status === 404) return <NotFound />;
  if (error && !w)
    return (
      <Page title={t('one')} above={above}>
        <Failed error={error} onAgain={() => void refetch()} />
      </Page>
    );
  if (!w)
    return (
      <Page title={t('one')} above={above}>
        <Skeleton h={240} />
      </Page>
    );
  return (
    <Page title={w.description || hostOf(w)} above={above} badge={<Health webhook={w} />} actions={<Actions webhook={w} />}>
      {w.status === 'DISABLED' && <Disabled webhook={w} />}
      {w.status === 'ACTIVE' && w.failure_streak >= probedFrom && <Failing webhook={w} />}
      <Grid>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Details webhook={w} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Deliveries webhook={w} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

/** Why it gets nothing, and the one press that ends an outage: it is turned on and gets what it missed. */
function Disabled({ webhook: w }: { webhook: Hook }) {
  const { t } = useTranslation('hook');
  const can = useCan();
  const [open, setOpen] = useState(false);
  const recover = useRecover(w);
  return (
    <Alert
      color={w.disabled_reason === 'FAILURES' ? 'red' : 'gray'}
      mb="md"
      title={t(w.disabled_reason === 'FAILURES' ? 'disabled.failures' : 'disabled.user', { most: mostFailures })}
    >
      {t('disabled.next')}{' '}
      {w.disabled_at && (
        <>
          {t('disabled.since')} <When at={w.disabled_at} exact />.
        </>
      )}
      {can('webhooks:manage') && (
        <Group mt="sm" gap="xs">
          <Button
            h="auto"
            mih={36}
            py={6}
            styles={{ label: { whiteSpace: 'normal' } }}
            loading={recover.pending}
            onClick={() => recover.run()}
          >
            {t('recover.actOn')}
          </Button>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('enable.only')}
          </Button>
        </Group>
      )}
      {open && <Enable webhook={w} onClose={() => setOpen(false)} />}
    </Alert>
  );
}

/** Deliveries fail in a row: everything else waits behind one attempt at a time, until somebody says that the receiver is mended. */
function Failing({ webhook: w }: { webhook: Hook }) {
  const { t } = useTranslation('hook');
  const can = useCan();
  const recover = useRecover(w);
  return (
    <Alert color="orange" mb="md" title={t('failing.title', { count: w.failure_streak, most: mostFailures })}>
      {t('failing.next', { most: mostFailures })}
      {can('webhooks:manage') && (
        <Group mt="sm">
          <Button loading={recover.pending} onClick={() => recover.run()}>
            {t('failing.act')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

function Details({ webhook: w }: { webhook: Hook }) {
  const { t } = useTranslation('hook');
  const words = useEventWords();
  const line = (label: string, value: React.ReactNode) => (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value}</DataList.ItemValue>
    </DataList.Item>
  );
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('details')}
      </Title>
      <DataList orientation="vertical">
        {line(t('form.url'), <Copy value={w.url} small />)}
        {line(t('column.events'), words(w.events))}
        {line(t('column.success'), <When at={w.last_success_at} />)}
        {line(t('column.delivery'), <When at={w.last_delivery_at} />)}
        {line(
          t('made'),
          <>
            <When at={w.created_at} exact /> · <NamedThing of={w.creator} />
          </>,
        )}
        {line(t('id'), <Copy value={w.id} small />)}
        {line(
          t('secret.label'),
          <>
            {t('secret.kept')}{' '}
            <Anchor component={Link} to="/webhooks/verify" inherit underline="always">
              {t('verify.open')}
            </Anchor>
          </>,
        )}
      </DataList>
    </Paper>
  );
}
