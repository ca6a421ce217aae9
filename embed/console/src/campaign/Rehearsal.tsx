import { Alert, Button, DataList, Grid, Group, Loader, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { codeWord, Empty, Failed, late, Link, Num, Page, type Schema, ThingById, useAction, useFormat, useGet, When } from '@shell';
import { IconChartArcs, IconListCheck } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useDuration } from './duration';

const Hours = late(() => import('./Charts').then((m) => ({ default: m.Hours })));

type Found = Schema<'CampaignShownRehearsal'>;

const underWay = (r: Found) => r.status === 'QUEUED' || r.status === 'RUNNING';

/** The campaign on a virtual clock: how fast, which waits, when it would end, and ten texts. Nothing is sent. */
export default function Rehearsal() {
  const { t } = useTranslation('campaign');
  const { id = '' } = useParams({ strict: false });
  const { data: c } = useGet('/campaigns/{id}', { path: { id } });
  // No event tells that a rehearsal is done.
  const { data: r, error, refetch } = useGet('/campaigns/{id}/rehearsal', { path: { id } }, { while: underWay });
  const ask = useAction('post', '/campaigns/{id}/rehearse', {
    then: () => void refetch(),
    failed: (e) => e.code === 'invalid_state' && c?.status === 'DRAFT' && (void refetch(), true),
  });
  const none = error?.status === 404;
  const waits = !none && r !== undefined && underWay(r);
  const begun = c ? c.started_at !== null : true;
  const button = !begun && (
    <Button
      variant={r?.status === 'DONE' && !none ? 'default' : 'filled'}
      loading={ask.pending || waits}
      leftSection={<IconChartArcs size={16} aria-hidden />}
      onClick={() => void ask.run({ path: { id } })}
    >
      {t(r && !none ? 'rehearsal.again' : 'rehearsal.ask')}
    </Button>
  );
  return (
    <Page
      title={t('rehearsal.title')}
      lead={t('rehearsal.lead')}
      above={[{ label: t('title'), to: '/campaigns' }, ...(c ? [{ label: c.name, to: `/campaigns/${id}` as const }] : [])]}
      actions={
        <>
          {!begun && (
            <Button
              variant={r?.status === 'DONE' && !none ? 'filled' : 'default'}
              component={Link}
              to={`/campaigns/${id}/checks`}
              leftSection={<IconListCheck size={16} aria-hidden />}
            >
              {t('edit.checks')}
            </Button>
          )}
          {!none && button}
        </>
      }
    >
      {error && !none && !r && <Failed error={error} onAgain={() => void refetch()} />}
      {none && (
        <Paper>
          <Empty title={t('rehearsal.none')} text={t(begun ? 'rehearsal.begun' : 'rehearsal.noneText')} action={button} />
        </Paper>
      )}
      {!r && !error && <Skeleton h={300} />}
      {r && !none && waits && (
        <Paper>
          <Group>
            <Loader size="sm" aria-hidden />
            <Text aria-live="polite">{t('rehearsal.running')}</Text>
          </Group>
        </Paper>
      )}
      {r && !none && r.status === 'FAILED' && (
        <Alert color="red">
          {t('rehearsal.failed')} {r.error && <span lang="en">{r.error}</span>}
        </Alert>
      )}
      {r && !none && r.status === 'DONE' && <Report report={r} />}
    </Page>
  );
}

function Report({ report: r }: { report: Found }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const duration = useDuration();
  const delivered = r.by_account.reduce((n, a) => n + a.delivered, 0);
  const failing = r.by_account.reduce((n, a) => n + a.failed, 0);
  const unsent = r.by_account.reduce((n, a) => n + a.unsent, 0);
  const skipped = Object.entries(r.skipped ?? {}).filter(([, n]) => n > 0);
  return (
    <Stack>
      <Alert color={r.finishes_at ? 'green' : 'yellow'}>
        {r.finishes_at && r.duration_hours !== null
          ? t('rehearsal.finishes', { at: f.time(r.finishes_at), time: duration(r.duration_hours), count: delivered })
          : t('rehearsal.neverFinishes', { count: unsent })}{' '}
        {failing > 0 && t('rehearsal.failing', { count: failing })}
      </Alert>
      <Paper>
        <Title order={2} mb="sm">
          {t('rehearsal.hours')}
        </Title>
        <Suspense fallback={<Skeleton h={240} />}>
          <Hours hours={r.timeline} />
        </Suspense>
        {r.floods.length > 0 && (
          <Text size="sm" mt="sm">
            {t('rehearsal.floods', { count: r.floods.length })}
          </Text>
        )}
        {r.floods.slice(0, 5).map((w) => (
          <Text key={`${w.account_id}${w.at}`} size="sm" c="dimmed">
            <When at={w.at} exact /> · <ThingById id={w.account_id} /> · {t('rehearsal.flood', { count: w.wait_seconds })}
          </Text>
        ))}
      </Paper>
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper>
            <Title order={2} mb="sm">
              {t('byAccount')}
            </Title>
            <Table.ScrollContainer minWidth={460} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('byAccount') } }}>
              <Table aria-label={t('byAccount')}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('accounts.account')}</Table.Th>
                    <Table.Th ta="right">{t('totals.completed')}</Table.Th>
                    <Table.Th ta="right">{t('totals.failed')}</Table.Th>
                    <Table.Th>{t('column.finish')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {r.by_account.map((a) => (
                    <Table.Tr key={a.account_id}>
                      <Table.Td>
                        <ThingById id={a.account_id} />
                      </Table.Td>
                      <Table.Td ta="right">
                        <Num value={a.delivered} />
                      </Table.Td>
                      <Table.Td ta="right">
                        <Num value={a.failed} />
                      </Table.Td>
                      <Table.Td>
                        <When at={a.finishes_at} exact />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            {skipped.length > 0 && (
              <DataList orientation="horizontal" labelWidth="min(240px, 60%)" mt="md">
                {skipped.map(([reason, n]) => (
                  <DataList.Item key={reason}>
                    <DataList.ItemLabel>{codeWord(reason)}</DataList.ItemLabel>
                    <DataList.ItemValue>
                      <Num value={n} />
                    </DataList.ItemValue>
                  </DataList.Item>
                ))}
              </DataList>
            )}
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper>
            <Title order={2} mb="sm">
              {t('rehearsal.sample')}
            </Title>
            <Stack gap="xs">
              {r.sample.map((text, i) => (
                <Paper key={i} p="sm" withBorder={false} bg="var(--mantine-primary-color-light)">
                  <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                    {text}
                  </Text>
                </Paper>
              ))}
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
