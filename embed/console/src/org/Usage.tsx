import { Group, Paper, Progress, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { dayOf, Failed, late, Num, Page, Status, useCan, useFormat, useGet, valueWord } from '@shell';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullness, lineOf, shownLimits } from './limits';
import { SettingsSections } from './sections';

const UsageChart = late(() => import('./UsageChart'));
const spans = ['7', '30', '90'] as const;

/** The plan, and how much of it is used. */
export default function Usage() {
  const { t } = useTranslation('org');
  const f = useFormat();
  const can = useCan();
  const { data, error, refetch } = useGet('/organization/usage', {});
  return (
    <Page
      title={t('usage.title')}
      lead={t('usage.lead')}
      badge={data && <Status state="PLAN" label={t('usage.plan', { plan: valueWord(data.plan) ?? data.plan })} />}
    >
      <SettingsSections />
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={260} />}
      {data && (
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
            {shownLimits.map((key) => (
              <Limit key={key} name={key} limit={data.limits?.[key]} used={data.used?.[key] ?? 0} />
            ))}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {t('usage.more')}
          </Text>
          <Paper>
            <Title order={2}>{t('usage.messages')}</Title>
            <Text size="sm" c="dimmed" mb="sm">
              {t('usage.period', { from: f.date(data.period.from), to: f.date(data.period.to) })}
            </Text>
            <Group gap="xl">
              <Figure label={t('usage.sent')} value={data.messages.sent} />
              <Figure label={t('usage.failed')} value={data.messages.failed} />
            </Group>
          </Paper>
          {can('analytics:read') && <Days />}
        </Stack>
      )}
    </Page>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <Text size="xl" fw={650}>
        <Num value={value} />
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </div>
  );
}

/** One limit of the plan: used, of how much, and what to do when it is near. */
function Limit({ name, limit, used }: { name: string; limit: unknown; used: number }) {
  const { t } = useTranslation('org');
  const f = useFormat();
  const line = lineOf(limit, used);
  const label = t(`usage.limit.${name}`);
  return (
    <Paper component="section" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" mb={6}>
        <Text fw={550}>{label}</Text>
        {line.kind === 'of' && line.level !== 'free' && (
          <Status state={line.level === 'full' ? 'FAIL' : 'WARN'} label={t(`usage.${line.level}`)} />
        )}
      </Group>
      {line.kind === 'yes' && <Text size="sm">{t('usage.included')}</Text>}
      {line.kind === 'no' && (
        <Text size="sm" c="dimmed">
          {t('usage.notIncluded')}
        </Text>
      )}
      {line.kind === 'unlimited' && (
        <Text size="sm">{name === 'event_retention_days' ? t('usage.unlimited') : t('usage.unlimitedUsed', { used: f.number(used) })}</Text>
      )}
      {line.kind === 'of' && name === 'event_retention_days' && <Text size="sm">{t('usage.days', { count: line.limit })}</Text>}
      {line.kind === 'of' && name !== 'event_retention_days' && (
        <>
          <Progress
            value={fullness(line.limit, used)}
            color={line.level === 'full' ? 'red' : line.level === 'near' ? 'yellow' : undefined}
            aria-label={label}
            mb={6}
          />
          <Text size="sm" c="dimmed">
            {t('usage.of', { used: f.number(used), limit: f.number(line.limit) })}
          </Text>
        </>
      )}
    </Paper>
  );
}

/** What was sent, day by day. */
function Days() {
  const { t } = useTranslation('org');
  const [span, setSpan] = useState<(typeof spans)[number]>('30');
  const today = dayOf(Date.now());
  const from = useMemo(() => dayOf(Date.parse(today) - (Number(span) - 1) * 86_400_000, 'UTC'), [span, today]);
  const { data, error, refetch } = useGet('/analytics/messages', { query: { from, group_by: 'day' } }, { keep: true });
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('usage.byDay')}</Title>
        <SegmentedControl
          size="xs"
          value={span}
          onChange={(v) => setSpan(v as typeof span)}
          data={spans.map((value) => ({ value, label: t('usage.days', { count: Number(value) }) }))}
        />
      </Group>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      <Suspense fallback={<Skeleton h={240} />}>
        {data ? <UsageChart days={data.series} from={from} to={today} /> : <Skeleton h={240} />}
      </Suspense>
    </Paper>
  );
}
