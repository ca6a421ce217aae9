import { Alert, Group, Progress, Stack, Text } from '@mantine/core';
import { Status, useFormat } from '@shell';
import { IconClockPause, IconInfoCircle, IconPlayerPause } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, colors, type Totals } from './model';

export function CampaignState({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  return <Status state={c.status} label={t(`state.${c.status}`)} />;
}

/** Messages that were sent, whether they arrived or not; who was skipped is not counted. */
export const sentOf = (t: Totals): number => t.completed + t.failed;

const parts = ['completed', 'failed', 'skipped', 'cancelled'] as const;

/** How far a campaign is: delivered, failed and skipped as parts of one bar. */
export function ProgressBar({ totals, big }: { totals: Totals; big?: boolean }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const label = t('progress.of', { done: f.number(sentOf(totals)), total: f.number(totals.total - totals.skipped) });
  return (
    <Stack gap={3} miw={big ? undefined : 130}>
      {!big && (
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {totals.total > 0 ? label : '–'}
        </Text>
      )}
      <Progress.Root size={big ? 18 : 'sm'} role="group" aria-label={label}>
        {parts.map(
          (key) =>
            totals[key] > 0 && (
              <Progress.Section
                key={key}
                value={(totals[key] / Math.max(1, totals.total)) * 100}
                color={colors[key]}
                aria-label={`${t(`totals.${key}`)}: ${f.number(totals[key])}`}
              />
            ),
        )}
      </Progress.Root>
    </Stack>
  );
}

/** Why a campaign sends nothing at the moment, and what to do. */
export function Explained({ campaign: c, action }: { campaign: Campaign; action?: ReactNode }) {
  const { t } = useTranslation('campaign');
  if (c.status === 'PAUSED' && c.pause_reason) {
    return (
      <Alert color="yellow" icon={<IconPlayerPause aria-hidden />} title={t('pausedTitle')} mb="md">
        <Stack gap="xs">
          <Text size="sm">
            {t(`pause.${c.pause_reason}`)} {c.admin_reason && t('pausedBecause', { reason: c.admin_reason })}
          </Text>
          <Text size="sm" fw={550}>
            {t(`pauseNext.${c.pause_reason}`)}
          </Text>
          {action && <Group gap="xs">{action}</Group>}
        </Stack>
      </Alert>
    );
  }
  // The gap between two messages is how sending looks: nobody needs to read about it.
  if (c.status === 'RUNNING' && c.waiting_reason && c.waiting_reason !== 'PACING') {
    return (
      <Alert color="blue" icon={<IconClockPause aria-hidden />} mb="md">
        {t(`waiting.${c.waiting_reason}`)}
      </Alert>
    );
  }
  const why =
    c.status === 'CANCELLED'
      ? [
          ...(c.admin_reason === null
            ? []
            : [t('cancelledByAdmin'), t('pausedBecause', { reason: c.admin_reason }), ...(c.series ? [t('cancelledSeries')] : [])]),
          ...(c.totals.cancelled > 0 ? [t('cancelledText')] : []),
        ]
      : [];
  if (why.length > 0)
    return (
      <Alert color={c.admin_reason === null ? 'gray' : 'red'} icon={<IconInfoCircle aria-hidden />} mb="md">
        {why.join(' ')}
      </Alert>
    );
  if (c.status === 'FAILED')
    return (
      <Alert color="red" icon={<IconInfoCircle aria-hidden />} mb="md">
        {t('failedText')}
      </Alert>
    );
  return null;
}
