import { Button, Group, Stack, Text } from '@mantine/core';
import { scenarioWord } from '@kit';
import { dayOf, Status, useFormat, useGet } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Agreed, verdictOf } from './agreement';

const days = 30;

interface Props {
  business: string;
  level: number;
  /** The shadow mode is on. */
  shadow: boolean;
  /** Sets the next level; nothing for who may not. */
  onRaise?: (level: number) => void;
}

/** How often people decided what the next level would have done, and whether that is enough for it. */
export function Agreement({ business, level, shadow, onRaise }: Props) {
  const { t } = useTranslation(['business', 'kit']);
  const from = useMemo(() => dayOf(Date.now() - (days - 1) * 86_400_000), []);
  const { data } = useGet('/ai/performance', { query: { business_id: business, from } });
  const s = data?.shadow;
  if (!s || (s.turns === 0 && !shadow)) return null;
  const verdict = verdictOf(level, s);
  if (verdict === 'none' && s.turns > 0) return null; // above what is compared
  const next = level + 1;
  return (
    <Stack gap="xs" component="section" aria-label={t('agreement.title')} data-verdict={verdict}>
      <Text size="sm" fw={600}>
        {t('agreement.title')}
      </Text>
      {s.by_scenario.map((x) => (
        <Line key={x.scenario} of={x} />
      ))}
      <Group gap="xs" role="status">
        <Text size="sm" c={verdict === 'raise' ? undefined : 'dimmed'} style={{ flex: '1 1 240px' }}>
          {t(`agreement.verdict.${verdict}`, { level: next })}
        </Text>
        {verdict === 'raise' && onRaise && (
          <Button size="compact-sm" variant="light" onClick={() => onRaise(next)}>
            {t('agreement.raise', { level: next })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Line({ of: x }: { of: Agreed['by_scenario'][number] }) {
  const { t } = useTranslation('business');
  const f = useFormat();
  const [low, high] = x.interval_95 ?? [];
  const known = x.agreement !== null && low !== undefined && high !== undefined;
  return (
    <Group gap="xs" justify="space-between" data-agreement={x.scenario}>
      <Group gap={6}>
        <Text size="sm">{scenarioWord(x.scenario)}</Text>
        {!x.enough && <Status state="UNKNOWN" label={t('agreement.few')} />}
      </Group>
      <Text size="sm" c="dimmed">
        {known && `${t('agreement.share', { share: f.percent(x.agreement!), from: f.percent(low), to: f.percent(high) })} · `}
        {t('agreement.compared', { compared: f.number(x.compared), turns: f.number(x.turns) })}
      </Text>
    </Group>
  );
}
