import { Button, Group, Paper, Progress, Select, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { Empty, Failed, Link, Page, useAction, useCan, useChosenInSight, useFormat, useGet, useNavigate } from '@shell';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Figures } from '../Figures';
import { ProseCard } from '../Prose';
import { firstDay } from '../types';
import { SocialSections } from './sections';
import { type Asked, askedOf, type Board, boards, networks, spans } from './types';

/** What the content of accounts adds up to, beside the time before, and prose that is proven against it. */
export default function Boards() {
  const { t, i18n } = useTranslation('insight');
  const navigate = useNavigate();
  const asked = askedOf(useSearch({ strict: false }));
  const zone = useGet('/organization', {}).data?.timezone;
  const change = (to: Partial<Asked>) =>
    void navigate({ to: '.', search: { ...asked, ...to } as never, replace: true, resetScroll: false });
  const query = {
    from: firstDay(asked.days, zone),
    locale: i18n.language as 'uz',
    ...(asked.platform && { platform: asked.platform }),
  };
  const {
    data: b,
    error,
    refetch,
  } = useGet('/ai/social/boards/{board}', { path: { board: asked.board }, query }, { keep: true, enabled: zone !== undefined });
  const csv = `/api/v1/ai/social/boards/${asked.board}?${new URLSearchParams({ ...query, format: 'csv' })}`;
  const row = useChosenInSight<HTMLDivElement>(asked.board);
  return (
    <Page
      title={t('social.title')}
      lead={t('social.lead')}
      actions={
        <Button component="a" variant="default" href={csv} download leftSection={<IconDownload size={17} aria-hidden />}>
          {t('board.export')}
        </Button>
      }
    >
      <SocialSections />
      <Tabs value={asked.board} onChange={(v) => change({ board: v as Asked['board'], metric: undefined })} mb="md">
        <Tabs.List ref={row} className="scrolling" style={{ flexWrap: 'nowrap' }} aria-label={t('social.sections.boards')}>
          {boards.map((x) => (
            <Tabs.Tab key={x} value={x} style={{ whiteSpace: 'nowrap' }}>
              {t(`social.boards.${x}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Group mb="md" gap="xs">
        <Select
          w={150}
          aria-label={t('social.span')}
          allowDeselect={false}
          data={spans.map((value) => ({ value, label: t('social.days', { count: Number(value) }) }))}
          value={asked.days}
          onChange={(v) => change({ days: v as Asked['days'] })}
        />
        <Select
          w={190}
          aria-label={t('social.network')}
          placeholder={t('social.everyNetwork')}
          clearable
          data={networks.map((value) => ({ value, label: t(`social.networks.${value}`) }))}
          value={asked.platform ?? null}
          onChange={(v) => change({ platform: (v ?? undefined) as Asked['platform'] })}
        />
      </Group>
      {error && !b && <Failed error={error} onAgain={() => void refetch()} />}
      {!b && !error && <Skeleton h={320} />}
      {b && <Whole board={b} asked={asked} onChange={change} />}
    </Page>
  );
}

function Whole({ board: b, asked, onChange }: { board: Board; asked: Asked; onChange: (to: Partial<Asked>) => void }) {
  const { t } = useTranslation('insight');
  const can = useCan();
  const write = useAction('post', '/ai/social/boards/{board}/narrative', { stale: ['/ai/social/boards'] });
  if (b.posts + b.comments === 0 && b.metrics.every((m) => !m.value))
    return (
      <Paper p={0}>
        <Empty
          icon={<IconChartBar size={32} stroke={1.4} aria-hidden />}
          title={t('social.empty.title')}
          text={t('social.empty.text')}
          action={
            can('accounts:read') && (
              <Button component={Link} to="/channels" variant="default">
                {t('social.empty.act')}
              </Button>
            )
          }
        />
      </Paper>
    );
  return (
    <Stack>
      <Figures board={b} chosen={asked.metric} onChoose={(metric) => onChange({ metric })} />
      <Topics board={b} />
      <Times board={b} />
      <ProseCard
        narrative={b.narrative}
        writing={write.pending}
        onWrite={() =>
          void write.run({
            path: { board: b.board },
            body: { from: firstDay(asked.days, b.timezone), locale: b.locale, platform: b.platform, account_id: b.account_id },
          })
        }
        onSelect={(key) => onChange({ metric: key })}
      />
    </Stack>
  );
}

function Topics({ board: b }: { board: Board }) {
  const { t } = useTranslation('insight');
  const f = useFormat();
  const most = Math.max(1, ...b.items.map((i) => i.count));
  if (b.board !== 'CONTENT' && b.board !== 'AUDIENCE') return null;
  return (
    <Paper component="section" aria-label={t('social.topics.title')}>
      <Title order={2} mb="sm">
        {t('social.topics.title')}
      </Title>
      {b.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('social.topics.none')}
        </Text>
      )}
      {b.items.map((i) => (
        <div key={i.case_id} style={{ marginBottom: 8 }}>
          <Group justify="space-between">
            <Text>{i.label}</Text>
            <Text size="sm" c="dimmed">
              {i.engagement === null
                ? f.number(i.count)
                : t('social.topics.engagement', { count: i.count, engagement: f.number(i.engagement) })}
            </Text>
          </Group>
          <Progress value={(100 * i.count) / most} size="sm" aria-label={i.label} />
        </div>
      ))}
    </Paper>
  );
}

/** When posts did best. */
function Times({ board: b }: { board: Board }) {
  const { t } = useTranslation('insight');
  const f = useFormat();
  if (b.best_times.length === 0) return null;
  return (
    <Paper component="section" aria-label={t('social.times.title')}>
      <Title order={2} mb="sm">
        {t('social.times.title')}
      </Title>
      {b.best_times.map((h) => (
        <Group key={`${h.weekday}-${h.hour}`} justify="space-between" mb={4}>
          <Text>{`${f.weekdays[h.weekday - 1]}, ${String(h.hour).padStart(2, '0')}:00`}</Text>
          <Text size="sm" c="dimmed">
            {t('social.times.row', { posts: f.number(h.posts), engagement: f.number(Math.round(h.engagement)) })}
          </Text>
        </Group>
      ))}
    </Paper>
  );
}
