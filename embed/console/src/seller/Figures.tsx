import { Group, Paper, Progress, SimpleGrid, Text, Title } from '@mantine/core';
import { checkWord } from '@kit';
import { useFormat } from '@shell';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Analytics, wait, worth } from './types';

/** The figures of the time at one glance. */
export function Figures({ of: a }: { of: Analytics }) {
  const { t } = useTranslation('seller');
  const f = useFormat();
  const sent = a.messages.out_ai + a.messages.out_human;
  const won = worth(f, a.leads.value_won, a.leads.currency);
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Figure label={t('results.conversations')} value={f.number(a.conversations.active)}>
        {t('results.fresh', { n: f.number(a.conversations.new) })}
      </Figure>
      <Figure label={t('results.byAI')} value={sent === 0 ? '–' : f.percent(a.messages.out_ai / sent)}>
        {t('results.ofSent', { ai: f.number(a.messages.out_ai), all: f.number(sent) })}
      </Figure>
      <Figure label={t('results.answered')} value={wait(f, a.response.median_seconds_ai)}>
        {t('results.byPeople', { time: wait(f, a.response.median_seconds_human) })}
      </Figure>
      <Figure label={t('results.leads')} value={f.number(a.leads.opened)}>
        {[
          t('leads.won', { n: f.number(a.leads.won) }),
          t('leads.lost', { n: f.number(a.leads.lost) }),
          a.leads.won > 0 && won && t('results.sum', { sum: won }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Figure>
    </SimpleGrid>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <Paper p="md" data-figure={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} lh={1.3} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Paper>
  );
}

/** Why people were asked for, why replies were blocked, what became of drafts, how long customers waited. */
export function Reasons({ of: a }: { of: Analytics }) {
  const { t } = useTranslation('seller');
  const f = useFormat();
  const { created, approved, edited, discarded } = a.drafts;
  const drafts = {
    sent: approved - edited,
    edited,
    discarded,
    open: Math.max(0, created - approved - discarded),
  };
  const waits = { ai: a.response.median_seconds_ai, human: a.response.median_seconds_human, p90: a.response.p90_seconds };
  const trigger = (code: string) => {
    const key = `trigger.${code}`;
    return i18next.exists(key, { ns: 'seller' }) ? (i18next.t(key as never, { ns: 'seller' }) as string) : code;
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Bars
        title={t('results.waits')}
        none={t('results.noWaits')}
        rows={(['ai', 'human', 'p90'] as const).flatMap((key) =>
          waits[key] === null
            ? []
            : [{ key, label: t(`results.wait.${key}`), value: waits[key], shown: wait(f, waits[key]), color: 'blue.6' }],
        )}
      />
      <Bars
        title={t('results.drafted')}
        none={t('results.noDrafts')}
        rows={
          created === 0
            ? []
            : (['sent', 'edited', 'discarded', 'open'] as const).map((key) => ({
                key,
                label: t(`results.draft.${key}`),
                value: drafts[key],
                color: 'teal.7',
              }))
        }
      />
      <Bars title={t('results.why')} none={t('results.noHandoffs')} rows={counted(a.handoffs.by_trigger, trigger, 'orange.6')} />
      <Bars title={t('results.refused')} none={t('results.noBlocked')} rows={counted(a.blocked.by_code, checkWord, 'red.7')} />
    </SimpleGrid>
  );
}

interface Row {
  key: string;
  label: string;
  value: number;
  /** The value in words; its number when not given. */
  shown?: string;
  color: string;
}

const counted = (by: Readonly<Record<string, number>> | null, word: (code: string) => string, color: string): Row[] =>
  Object.entries(by ?? {})
    .sort(([, a], [, b]) => b - a)
    .map(([key, value]) => ({ key, label: word(key), value, color }));

function Bars({ title, none, rows }: { title: string; none: string; rows: readonly Row[] }) {
  const f = useFormat();
  const most = Math.max(1, ...rows.map((r) => r.value));
  return (
    <Paper component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {rows.map((r) => (
        <div key={r.key} data-bar={r.key} style={{ marginBottom: 8 }}>
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-end">
            <Text size="sm">{r.label}</Text>
            <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
              {r.shown ?? f.number(r.value)}
            </Text>
          </Group>
          <Progress value={(100 * r.value) / most} color={r.color} size="sm" aria-hidden />
        </div>
      ))}
    </Paper>
  );
}
