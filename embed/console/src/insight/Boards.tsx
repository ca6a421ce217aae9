import { Alert, Button, Group, Paper, Select, Skeleton, Stack, Tabs, Text, Title, UnstyledButton } from '@mantine/core';
import { Empty, Failed, Link, Num, Page, useChosenInSight, useFormat, useGet, useNavigate } from '@shell';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Figures } from './Figures';
import { CaseConversations } from './CaseConversations';
import classes from './insight.module.css';
import { Prose } from './Prose';
import { InsightSections } from './sections';
import { type Asked, askedOf, type Board, boards, channels, firstDay, spans, whole } from './types';

/** What conversations add up to: marks, flags and cases beside the time before, and prose that is proven against them. */
export default function Boards() {
  const { t, i18n } = useTranslation('insight');
  const navigate = useNavigate();
  const asked = askedOf(useSearch({ strict: false }));
  const organization = useGet('/organization', {});
  const zone = organization.data?.timezone;
  const change = (to: Partial<Asked>) =>
    void navigate({ to: '.', search: { ...asked, ...to } as never, replace: true, resetScroll: false });
  const query = {
    from: firstDay(asked.days, zone),
    locale: i18n.language as 'uz',
    ...(asked.channel && { channel: asked.channel }),
    ...(asked.business && { business_id: asked.business }),
  };
  const input = { path: { board: asked.board }, query };
  const {
    data: b,
    error,
    refetch,
  } = useGet('/ai/insights/boards/{board}', input, {
    keep: true,
    enabled: zone !== undefined,
  });
  const csv = `/api/v1/ai/insights/boards/${asked.board}?${new URLSearchParams({ ...query, format: 'csv' })}`;
  const row = useChosenInSight<HTMLDivElement>(asked.board);
  return (
    <Page
      title={t('sections.boards')}
      lead={t('board.lead')}
      actions={
        <Button component="a" variant="default" href={csv} download leftSection={<IconDownload size={17} aria-hidden />}>
          {t('board.export')}
        </Button>
      }
    >
      <InsightSections />
      <Tabs value={asked.board} onChange={(v) => change({ board: v as Asked['board'], metric: undefined, of: undefined })} mb="md">
        <Tabs.List ref={row} className="scrolling" style={{ flexWrap: 'nowrap' }} aria-label={t('sections.boards')}>
          {boards.map((x) => (
            <Tabs.Tab key={x} value={x} style={{ whiteSpace: 'nowrap' }}>
              {t(`boards.${x}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Narrowing asked={asked} onChange={change} />
      {error && !b && <Failed error={error} onAgain={() => void refetch()} />}
      {!b && !error && <Skeleton h={320} />}
      {b && <Whole board={b} asked={asked} onChange={change} />}
    </Page>
  );
}

interface Of {
  asked: Asked;
  onChange: (to: Partial<Asked>) => void;
}

function Narrowing({ asked, onChange }: Of) {
  const { t } = useTranslation('insight');
  const { data } = useGet('/ai/businesses', { query: whole });
  const businesses = (data?.data ?? []).map((x) => ({ value: x.id, label: x.name }));
  return (
    <Group mb="md" gap="xs">
      <Select
        w={150}
        aria-label={t('board.span')}
        allowDeselect={false}
        data={spans.map((value) => ({ value, label: t('board.days', { count: Number(value) }) }))}
        value={asked.days}
        onChange={(v) => onChange({ days: v as Asked['days'], of: undefined })}
      />
      {businesses.length > 1 && (
        <Select
          w={200}
          aria-label={t('board.business')}
          placeholder={t('board.everyBusiness')}
          clearable
          data={businesses}
          value={asked.business ?? null}
          onChange={(v) => onChange({ business: v ?? undefined, of: undefined })}
        />
      )}
      <Select
        w={180}
        aria-label={t('board.channel')}
        placeholder={t('board.everyChannel')}
        clearable
        data={channels.map((value) => ({ value, label: t(`channel.${value}`) }))}
        value={asked.channel ?? null}
        onChange={(v) => onChange({ channel: (v ?? undefined) as Asked['channel'], of: undefined })}
      />
    </Group>
  );
}

function Whole({ board: b, asked, onChange }: Of & { board: Board }) {
  const { t } = useTranslation('insight');
  const f = useFormat();
  if (b.conversations === 0)
    return (
      <Paper p={0}>
        <Empty
          icon={<IconChartBar size={32} stroke={1.4} aria-hidden />}
          title={t('board.empty')}
          text={t('board.emptyText')}
          action={
            <Button component={Link} to="/ai/insights/past" variant="default">
              {t('board.toPast')}
            </Button>
          }
        />
      </Paper>
    );
  const select = (key: string) => onChange(key.startsWith('case:') ? { of: key.slice(5) } : { metric: key });
  return (
    <Stack>
      {b.coverage < 1 && (
        <Text size="sm" c="dimmed">
          {t('board.coverage', { share: f.percent(b.coverage), count: b.conversations })}
        </Text>
      )}
      <Figures board={b} chosen={asked.metric} onChoose={(metric) => onChange({ metric })} />
      <Cases board={b} asked={asked} onChange={onChange} />
      <Prose board={b} asked={asked} onSelect={select} />
    </Stack>
  );
}

/** The cases of the board: each leads to its conversations. */
function Cases({ board: b, asked, onChange }: Of & { board: Board }) {
  const { t } = useTranslation('insight');
  const f = useFormat();
  const most = Math.max(1, ...b.items.map((i) => i.count));
  return (
    <Paper component="section" aria-label={t(`dimension.${b.dimension}`)}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t(`dimension.${b.dimension}`)}</Title>
        <Button component={Link} to="/ai/insights/cases" variant="default" size="compact-sm">
          {t('board.toCases')}
        </Button>
      </Group>
      {b.items.length === 0 && <Alert color="gray">{t('board.noCases')}</Alert>}
      {b.items.map((i) => (
        <UnstyledButton
          key={i.case_id}
          className={classes.item}
          data-case={i.label}
          aria-expanded={asked.of === i.case_id}
          onClick={() => onChange({ of: asked.of === i.case_id ? undefined : i.case_id })}
        >
          <span className={classes.bar} style={{ width: `${(i.count / most) * 100}%` }} />
          <span className={classes.words}>
            <Text span size="sm">
              {i.label}
            </Text>
            <Text span size="sm" fw={600}>
              <Num value={i.count} /> · {f.percent(i.share)}
              {i.change !== 0 && (
                <Text span size="xs" c="dimmed" fw={400}>
                  {` ${i.change > 0 ? '+' : '−'}${f.number(Math.abs(i.change))}`}
                </Text>
              )}
            </Text>
          </span>
        </UnstyledButton>
      ))}
      {asked.of && <CaseConversations board={b} asked={asked} />}
    </Paper>
  );
}
