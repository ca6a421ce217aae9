import { Box, Group, Paper, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { actionWord } from '@kit';
import { Failed, Link, Num, Status, useFormat, useGet, useListState, When } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './seller.module.css';
import { colorOfQuality, nameOf } from './LeadList';
import { columnsOf, type Funnel, type Lead, type Pipeline, qualities, worth } from './types';

const names = ['funnel_id', 'quality', 'currency'];
/** As many as one answer brings; what a stage has more is in the list. */
const most = 200;

/** The stages of a funnel side by side, each with its open leads, their value and the oldest of them. */
export function Board({ pipeline: p, empty }: { pipeline: Pipeline; empty: ReactNode }) {
  const { t } = useTranslation('seller');
  const state = useListState(names);
  const [asked, quality] = [state.filters.funnel_id, state.filters.quality].map((v) => [v ?? []].flat()[0]);
  const funnel = p.data.find((f) => f.funnel_id === asked) ?? p.data.find(holds) ?? p.data[0];
  const query = {
    funnel_id: funnel?.funnel_id,
    status: 'OPEN' as const,
    quality: qualities.find((q) => q === quality),
    sort: '-updated_at' as const,
    limit: most,
  };
  const { data, error, refetch } = useGet('/ai/leads', { query }, { keep: true, enabled: funnel !== undefined });
  if (!funnel || !p.data.some(holds)) return empty;
  return (
    <Stack gap="sm">
      <Group gap="xs" align="flex-end">
        {p.data.length > 1 && (
          <Select
            w={280}
            size="xs"
            aria-label={t('leads.funnel')}
            allowDeselect={false}
            data={p.data.map((f) => ({ value: f.funnel_id, label: nameOf(f) }))}
            value={funnel.funnel_id}
            onChange={(v) => v && state.set({ funnel_id: v })}
          />
        )}
        <Select
          w={150}
          size="xs"
          aria-label={t('quality.title')}
          placeholder={t('quality.title')}
          clearable
          data={qualities.map((value) => ({ value, label: t(`quality.${value}`) }))}
          value={query.quality ?? null}
          onChange={(v) => state.set({ quality: v ?? undefined })}
        />
        {p.currencies.length > 1 && (
          <Select
            w={120}
            size="xs"
            aria-label={t('leads.currency')}
            allowDeselect={false}
            data={p.currencies}
            value={p.currency}
            onChange={(v) => v && state.set({ currency: v })}
          />
        )}
      </Group>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={280} />}
      {data && <Columns funnel={funnel} leads={data.data} currency={p.currency} narrowed={query.quality !== undefined} />}
    </Stack>
  );
}

/** Whether a funnel has ever had a lead. */
const holds = (f: Funnel): boolean => f.stages.some((s) => s.open + s.won + s.lost > 0);

interface ColumnsProps {
  funnel: Funnel;
  leads: readonly Lead[];
  currency: string | null;
  /** Not all leads are meant: what is left out is not counted as more. */
  narrowed: boolean;
}

function Columns({ funnel, leads, currency, narrowed }: ColumnsProps) {
  const { t } = useTranslation('seller');
  const f = useFormat();
  const oldest = (days: number | null) =>
    days === null ? '\u00a0' : days === 0 ? t('leads.oldestToday') : t('leads.oldest', { count: days });
  return (
    <Box component="ol" className={`scrolling ${classes.board}`} aria-label={nameOf(funnel)} tabIndex={0}>
      {columnsOf(funnel, leads).map(({ stage: s, leads: own, more }) => (
        <li key={s.key} className={classes.stage} data-stage={s.key}>
          <header className={classes.head}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
                {s.name}
              </Title>
              <Text span size="sm" fw={600} data-open-leads={s.open} aria-label={t('leads.all', { count: s.open })}>
                <Num value={s.open} />
              </Text>
            </Group>
            <Text size="sm" fw={600} className={classes.sum}>
              {s.open > 0 ? worth(f, s.value_open, currency) : null}
            </Text>
            <Text size="xs" c="dimmed">
              {oldest(s.oldest_open_days)}
            </Text>
          </header>
          <ul className={classes.cards}>
            {own.map((l) => (
              <li key={l.id}>
                <Card lead={l} />
              </li>
            ))}
          </ul>
          {own.length === 0 && (
            <Text size="xs" c="dimmed" ta="center" py="xs">
              {t('leads.none')}
            </Text>
          )}
          {more > 0 && !narrowed && own.length > 0 && (
            <Text size="sm" ta="center">
              <Link to="/ai/businesses/leads" search={{ view: 'list', status: 'OPEN', funnel_id: funnel.funnel_id, stage: s.key }}>
                {t('leads.more', { count: more })}
              </Link>
            </Text>
          )}
          {s.won + s.lost > 0 && (
            <Text size="xs" c="dimmed" mt="auto">
              {[s.won > 0 && t('leads.won', { n: f.number(s.won) }), s.lost > 0 && t('leads.lost', { n: f.number(s.lost) })]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          )}
        </li>
      ))}
    </Box>
  );
}

/** One lead; it opens its conversation. */
function Card({ lead: l }: { lead: Lead }) {
  const { t } = useTranslation('seller');
  const f = useFormat();
  const value = worth(f, l.value_estimate, l.currency);
  return (
    <Paper component={Link} to={`/inbox/${l.conversation_id}`} p="xs" withBorder className={classes.card} data-lead={l.id}>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {l.conversation?.name ?? t('leads.noName')}
      </Text>
      {value && (
        <Text size="sm" className={classes.sum}>
          {value}
        </Text>
      )}
      {l.offers.length > 0 && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {l.offers.map((o) => o.name).join(', ')}
        </Text>
      )}
      {l.next_step && (
        <Text size="xs" lineClamp={3}>
          {t('leads.next', { step: actionWord(l.next_step) })}
        </Text>
      )}
      <Group justify="space-between" gap="xs" mt={4}>
        <Status state={l.quality} color={colorOfQuality[l.quality]} label={t(`quality.${l.quality}`)} />
        <Text size="xs" c="dimmed">
          <When at={l.updated_at} />
        </Text>
      </Group>
    </Paper>
  );
}
