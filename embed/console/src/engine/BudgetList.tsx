import { Button, ColorSwatch, Group, Paper, Progress, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { Confirm, Empty, Failed, Status, useCan, When } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { others, useBudgets, usePutBudgets } from './budget';
import { BudgetDialog } from './BudgetDialog';
import { Money } from './parts';
import { type Budget, parts } from './types';

/** Where a budget wants an eye, in percent of its limit. */
const near = 80;

export function BudgetList() {
  const { t } = useTranslation('engine');
  const { data, error, refetch } = useBudgets();
  const all = data?.data ?? [];
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={140} />;
  if (all.length === 0)
    return (
      <Paper p={0}>
        <Empty title={t('budget.empty')} text={t('budget.emptyText')} />
      </Paper>
    );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {all.map((b) => (
        <One key={b.id} budget={b} all={all} />
      ))}
    </SimpleGrid>
  );
}

/** One budget: spent, reserved for runs that go on, and what is left. */
function One({ budget: b, all }: { budget: Budget; all: readonly Budget[] }) {
  const { t } = useTranslation('engine');
  const can = useCan();
  const [asked, setAsked] = useState<'edit' | 'remove'>();
  const put = usePutBudgets({ done: 'budget.removed', then: () => setAsked(undefined) });
  const { spent, reserved } = parts(b);
  const name = `${t(`period.${b.period}`)} · ${b.agent ? t(`agent.${b.agent}`) : t('budget.allAgents')}`;
  const color = spent >= 100 ? 'red.7' : spent >= near ? 'yellow.7' : 'sea.6';
  const left = Math.max(0, b.limit_usd - b.spent_usd - b.reserved_usd);
  return (
    <Paper component="section" aria-label={name} data-budget={b.id}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2}>{name}</Title>
        {spent >= 100 ? (
          <Status state="FAIL" label={t('budget.used')} />
        ) : (
          <Status state={b.on_limit === 'STOP' ? 'OK' : 'DRAFT'} label={t(`onLimitShort.${b.on_limit}`)} />
        )}
      </Group>
      <Progress.Root size="lg" mb="xs">
        <Progress.Section value={spent} color={color} aria-label={t('budget.spent')} />
        <Progress.Section value={reserved} color="blue.4" aria-label={t('budget.reserved')} />
      </Progress.Root>
      <Group gap="md" mb={6}>
        <Amount color={color} label={t('budget.spent')} usd={b.spent_usd} />
        <Amount color="blue.4" label={t('budget.reserved')} usd={b.reserved_usd} />
        <Amount color="gray.4" label={t('budget.left')} usd={left} />
      </Group>
      <Text size="sm" c="dimmed">
        {t('budget.of')} <Money usd={b.limit_usd} /> · {t('budget.resets')} <When at={b.resets_at} />
        {b.alert_thresholds && b.alert_thresholds.length > 0 && ` · ${t('budget.alerts', { at: b.alert_thresholds.join(', ') })}`}
      </Text>
      {b.source === 'PLATFORM' && (
        <Text size="sm" mt={6}>
          {t('budget.platform')}
        </Text>
      )}
      {b.source === 'ORGANIZATION' && can('ai:manage') && (
        <Group mt="sm" gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => setAsked('edit')}>
            {t('form.open')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAsked('remove')}>
            {t('budget.remove')}
          </Button>
        </Group>
      )}
      {asked === 'edit' && <BudgetDialog budget={b} onClose={() => setAsked(undefined)} />}
      {asked === 'remove' && (
        <Confirm
          danger
          title={t('budget.removeTitle')}
          consequence={t('budget.removeText')}
          act={t('budget.remove')}
          pending={put.pending}
          onConfirm={() => put.run(others(all, b))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Paper>
  );
}

function Amount({ color, label, usd }: { color: string; label: string; usd: number }) {
  return (
    <Group gap={6} wrap="nowrap">
      <ColorSwatch size={10} color={`var(--mantine-color-${color.replace('.', '-')})`} withShadow={false} aria-hidden />
      <Text size="sm" component="span">
        {label} <Money usd={usd} />
      </Text>
    </Group>
  );
}
