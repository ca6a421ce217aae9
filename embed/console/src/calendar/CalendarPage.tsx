import { Alert, Button, Group, Paper, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Beside, type Column, Confirm, Empty, Link, List, Page, Status, useAction, useCan, useFormat, useGet } from '@shell';
import { IconCalendar } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pending } from './Pending';
import { type Action, type Connection, statuses, types } from './types';
import { Week } from './Week';

/** The calendar: its connection, what waits for a confirmation, the week, and all that was asked of it. */
export default function CalendarPage() {
  const { t } = useTranslation('calendar');
  const can = useCan();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const { data } = useGet('/ai/calendar', {});
  const { data: businesses } = useGet('/ai/businesses', { query: { limit: 100 } });
  const { data: actions } = useGet('/ai/calendar/actions', { query: { limit: 200 } });
  const [chosen, choose] = useState<string | null>(null);
  const list = useMemo(() => businesses?.data.filter((b) => b.status === 'ACTIVE') ?? [], [businesses]);
  const business = list.find((b) => b.id === chosen) ?? list[0];
  const own = useMemo(() => actions?.data.filter((a) => a.business_id === business?.id) ?? [], [actions, business]);
  const error = search.error === undefined ? '' : String(search.error);
  return (
    <Page title={t('title')} lead={t('lead')} actions={data && <Connect connection={data} />}>
      <Stack>
        {data?.simulated && <Alert color="yellow">{t('simulated')}</Alert>}
        {error && (
          <Alert color="red" role="alert">
            {t([`error.${error}`, 'error.other'])}
          </Alert>
        )}
        {data ? <State connection={data} /> : <Skeleton h={70} />}
        <Pending connected={data?.connected ?? false} />
        {list.length > 1 && (
          <Select
            label={t('business')}
            data={list.map((b) => ({ value: b.id, label: b.name }))}
            value={business?.id ?? null}
            onChange={choose}
            allowDeselect={false}
            maw={360}
          />
        )}
        {businesses && !business && (
          <Paper p={0}>
            <Empty
              icon={<IconCalendar size={32} stroke={1.4} aria-hidden />}
              title={t('noBusiness.title')}
              text={t('noBusiness.text')}
              action={
                can('ai:manage') && (
                  <Button component={Link} to="/ai/businesses/start">
                    {t('noBusiness.add')}
                  </Button>
                )
              }
            />
          </Paper>
        )}
        {business && <Week key={business.id} business={business} actions={own} connected={data?.connected ?? false} />}
        <Actions />
      </Stack>
    </Page>
  );
}

/** Whose calendar it is, or what to do about it. */
function State({ connection: c }: { connection: Connection }) {
  const { t } = useTranslation('calendar');
  const f = useFormat();
  if (!c.configured) return <Alert color="gray">{t('missing', { settings: c.missing_settings.join(', ') })}</Alert>;
  return (
    <Paper component="section" aria-label={t('connection')}>
      <Group justify="space-between">
        <div>
          <Text fw={600}>{c.account_email ?? t('none')}</Text>
          <Text size="sm" c="dimmed">
            {c.status === 'NEEDS_REAUTH'
              ? t('reauth')
              : c.connected
                ? t('synced', { at: c.last_synced_at ? f.time(c.last_synced_at) : '–' })
                : t('why')}
          </Text>
        </div>
        <Status state={c.status === 'NEEDS_REAUTH' ? 'AUTH_REQUIRED' : c.status} label={t(`state.${c.status}`)} />
      </Group>
    </Paper>
  );
}

function Connect({ connection: c }: { connection: Connection }) {
  const { t } = useTranslation('calendar');
  const can = useCan();
  const [asked, ask] = useState(false);
  const go = useAction('post', '/ai/calendar/connect', {
    then: (a: { authorization_url: string }) => window.location.assign(a.authorization_url),
  });
  const leave = useAction('post', '/ai/calendar/disconnect', { stale: ['/ai/calendar'], done: t('leave.done'), then: () => ask(false) });
  if (!can('ai:manage') || !c.configured) return null;
  return (
    <>
      {c.status !== 'DISCONNECTED' && (
        <Button variant="default" onClick={() => ask(true)}>
          {t('leave.act')}
        </Button>
      )}
      {!c.connected && (
        <Button loading={go.pending} onClick={() => void go.run({ body: { return_to: '/console/calendar' } })}>
          {t(c.status === 'NEEDS_REAUTH' ? 'again' : 'connect')}
        </Button>
      )}
      {asked && (
        <Confirm
          title={t('leave.title')}
          consequence={t('leave.text')}
          act={t('leave.act')}
          danger
          pending={leave.pending}
          onConfirm={() => void leave.run({})}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}

/** All that was asked of the calendar. */
function Actions() {
  const { t } = useTranslation('calendar');
  const f = useFormat();
  const columns = useMemo<Column<Action>[]>(
    () => [
      {
        key: 'what',
        title: t('column.what'),
        render: (a) => (
          <>
            {t(`type.${a.type}`)}
            <Beside>{a.extracted.title}</Beside>
          </>
        ),
      },
      { key: 'when', title: t('column.when'), render: (a) => f.time(a.starts_at ?? a.extracted.start) },
      { key: 'who', title: t('column.who'), from: 'md', render: (a) => a.conversation?.name ?? '–' },
      {
        key: 'status',
        title: t('column.status'),
        render: (a) => (
          <>
            <Status state={a.status} label={t(`status.${a.status}`)} />
            {a.error_code && <Beside>{t(`code.${a.error_code}`)}</Beside>}
          </>
        ),
      },
    ],
    [t, f],
  );
  return (
    <section aria-label={t('all')}>
      <Title order={2} mb="sm">
        {t('all')}
      </Title>
      <List
        path="/ai/calendar/actions"
        label={t('all')}
        columns={columns}
        to={(a) => `/inbox/${a.conversation_id}`}
        name={(a) => t(`type.${a.type}`)}
        filters={[
          {
            kind: 'choice',
            key: 'status',
            label: t('column.status'),
            options: statuses.map((v) => ({ value: v, label: t(`status.${v}`) })),
          },
          { kind: 'choice', key: 'type', label: t('column.what'), options: types.map((v) => ({ value: v, label: t(`type.${v}`) })) },
        ]}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
    </section>
  );
}
