import { Alert, Anchor, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { Failed, type Href, late, Link, Num, Page, type Schema, useGet, When } from '@shell';
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { alertText } from './alerts';
import { administrators } from './Guard';
import { Part, wordOr } from './parts';

const Backlog = late(() => import('./charts').then((m) => ({ default: m.Backlog })));
const Shares = late(() => import('./charts').then((m) => ({ default: m.Shares })));
type Overview = Schema<'AdminOverview'>;

/** The platform at one glance: what needs somebody first. */
function Overview() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useGet('/admin/overview', {});
  return (
    <Page
      title={t('overview.title')}
      lead={
        data && (
          <>
            {t('overview.at')} <When at={data.at} />
          </>
        )
      }
    >
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={240} />}
      {data && (
        <>
          <Alerts alerts={data.alerts} />
          <Figures of={data} />
          <Part title={t('overview.backlog')} lead={t('overview.backlogLead')}>
            <Queues />
          </Part>
          <SimpleGrid cols={{ base: 1, md: 2 }} verticalSpacing={0}>
            <Part title={t('overview.accounts')}>
              <Share kind="account" by={data.accounts.by_status ?? {}} />
            </Part>
            <Part title={t('overview.campaigns')}>
              <Share kind="campaign" by={data.campaigns.by_status ?? {}} />
            </Part>
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}

const looks = { CRITICAL: ['red', IconAlertOctagon], WARNING: ['yellow', IconAlertTriangle], INFO: ['blue', IconInfoCircle] } as const;

function Alerts({ alerts }: { alerts: Overview['alerts'] }) {
  const { t } = useTranslation('admin');
  if (alerts.length === 0)
    return (
      <Alert color="green" mb="md" icon={<IconCircleCheck aria-hidden />}>
        {t('overview.allWell')}
      </Alert>
    );
  return (
    <Stack gap={6} mb="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('overview.attention')}>
      {alerts.map((a) => {
        const [color, Icon] = looks[a.severity];
        const url = new URL(a.link, location.origin);
        return (
          <li key={a.kind + a.link}>
            <Alert color={color} py={8} icon={<Icon size={18} aria-hidden />}>
              <Group justify="space-between" gap="xs">
                <Text size="sm">{alertText(a)}</Text>
                <Anchor
                  component={Link}
                  to={url.pathname as Href}
                  search={Object.fromEntries(url.searchParams) as never}
                  size="sm"
                  fw={600}
                  c="inherit"
                  underline="always"
                >
                  {t('overview.look')}
                </Anchor>
              </Group>
            </Alert>
          </li>
        );
      })}
    </Stack>
  );
}

function Figures({ of: o }: { of: Overview }) {
  const { t } = useTranslation('admin');
  const figures: [string, number, Href][] = [
    ['organizations', o.organizations, '/admin/organizations'],
    ['users', o.users, '/admin/users'],
    ['messages', o.messages_24h, '/admin/campaigns'],
    ['workers', o.workers, '/admin/workers'],
    ['waiting', o.queues.waiting, '/admin/queues'],
    ['archived', o.queues.archived, '/admin/queues'],
    ['support', o.support_sessions, '/admin/support-sessions'],
  ];
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 4, lg: 7 }} spacing="sm" mb="md">
      {figures.map(([key, n, to]) => (
        <Paper key={key} p="sm">
          <Text size="xl" fw={650} lh={1.2}>
            <Num value={n} />
          </Text>
          <Anchor component={Link} to={to} size="sm">
            {t(`overview.figure.${key}`)}
          </Anchor>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function Queues() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useGet('/admin/queues', {});
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={180} />;
  const busy = data.data.filter((q) => q.pending + q.active + q.scheduled + q.retry + q.archived > 0);
  if (busy.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('task.empty')}
      </Text>
    );
  return (
    <Suspense fallback={<Skeleton h={180} />}>
      <Backlog queues={busy} />
    </Suspense>
  );
}

function Share({ kind, by }: { kind: 'account' | 'campaign'; by: Record<string, number> }) {
  const { t } = useTranslation('admin');
  const parts = Object.entries(by)
    .filter(([, n]) => n > 0)
    .map(([state, value]) => ({ state, value, name: wordOr(`state.${kind}.${state}`, state) }));
  if (parts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(`overview.none.${kind}`)}
      </Text>
    );
  return (
    <Suspense fallback={<Skeleton h={180} />}>
      <Shares label={t(`overview.${kind}s`)} parts={parts} to={`/admin/${kind}s`} />
    </Suspense>
  );
}

export default administrators(Overview);
