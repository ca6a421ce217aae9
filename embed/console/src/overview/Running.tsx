import { Anchor, Group, Paper, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Failed, type Href, Link, Status, useCan, useEvents, useFormat, useGet, When } from '@shell';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dashboard } from './steps';

/** What is on its way now; events keep it moving. */
export function Running({ dashboard: d }: { dashboard: Dashboard }) {
  const { t } = useTranslation('overview');
  const f = useFormat();
  const can = useCan();
  // The dashboard counts them: nobody asks for those of which there are none.
  const some = !d.campaigns || d.campaigns.running + d.campaigns.paused + d.campaigns.scheduled > 0;
  const asked = useGet(
    '/campaigns',
    { query: { status: ['RUNNING', 'PAUSED', 'SCHEDULED'], limit: 8, sort: '-updated_at' } },
    { enabled: some },
  );
  const { error, refetch } = asked;
  const data = some ? asked.data : { data: [] };
  // An import that runs tells of itself each second: until then nobody asks whether there is one.
  const [heard, setHeard] = useState(false);
  useEvents(['recipient.import_progress'], () => setHeard(true));
  const { data: imports } = useGet('/recipient-imports', { query: { limit: 1 } }, { enabled: heard && can('recipients:read') });
  const running = imports?.data[0]?.status === 'RUNNING' ? imports.data[0] : undefined;
  const nothing = data?.data.length === 0 && !running;
  return (
    <Paper h="100%" component="section" aria-label={t('running.title')}>
      <Title order={2} mb="sm">
        {t('running.title')}
      </Title>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={80} />}
      {nothing && (
        <Text size="sm" c="dimmed">
          {t('running.none')}{' '}
          <Anchor component={Link} to="/campaigns" size="sm" underline="always">
            {t('running.toCampaigns')}
          </Anchor>
        </Text>
      )}
      <Stack gap="md">
        {running && (
          <Line
            to={`/recipients/imports/${running.id}`}
            name={running.file_name ?? t('running.import')}
            share={running.report.created + running.report.updated + running.report.invalid + running.report.duplicates}
            total={running.report.total}
            state={<Status state="RUNNING" label={t('running.import')} />}
          />
        )}
        {data?.data.map((c) => (
          <Line
            key={c.id}
            to={`/campaigns/${c.id}`}
            name={c.name}
            share={c.totals.completed + c.totals.failed + c.totals.skipped}
            total={c.totals.total}
            state={<Status state={c.status} label={t(`running.state.${c.status as 'RUNNING'}`)} />}
            note={
              c.status === 'SCHEDULED' ? (
                <>
                  {t('running.starts')} <When at={c.scheduled_at} />
                </>
              ) : c.totals.failed > 0 ? (
                t('running.failed', { failed: f.number(c.totals.failed) })
              ) : undefined
            }
          />
        ))}
      </Stack>
    </Paper>
  );
}

function Line({
  to,
  name,
  share,
  total,
  state,
  note,
}: {
  to: Href;
  name: string;
  share: number;
  total: number;
  state: ReactNode;
  note?: ReactNode;
}) {
  const { t } = useTranslation('overview');
  const f = useFormat();
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Anchor component={Link} to={to} fw={550} truncate>
          {name}
        </Anchor>
        {state}
      </Group>
      {total > 0 && <Progress value={(100 * share) / total} aria-label={name} />}
      <Group justify="space-between" mt={4}>
        <Text size="xs" c="dimmed">
          {note}
        </Text>
        {total > 0 && (
          <Text size="xs" c="dimmed">
            {t('running.of', { done: f.number(share), total: f.number(total) })}
          </Text>
        )}
      </Group>
    </div>
  );
}
