import { Alert, Group, Progress, Stack, Text } from '@mantine/core';
import { codeWord, Status, useFormat } from '@shell';
import { IconAlertTriangle, IconClockPause, IconHandStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Countdown } from './Countdown';
import { type Account, nextStep, shownState } from './name';

/** The state of an account as a badge; a flood wait counts down beside it. */
export function AccountState({ account: a }: { account: Account }) {
  const { t } = useTranslation('account');
  const state = shownState(a);
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex">
      <Status state={state} label={t(`state.${state}`)} color={a.disabled_by_admin ? 'red' : undefined} />
      {state === 'COOLDOWN' && a.cooldown_until && (
        <Text span size="sm" c="dimmed">
          <Countdown until={a.cooldown_until} />
        </Text>
      )}
    </Group>
  );
}

/** When the day of a limit begins: it is a day of UTC, shown as the clock of the organization has it (contract 21.2). */
const newDay = '2026-01-01T00:00:00Z';

/** Sent today against the limit. */
export function Today({ account: a, wide }: { account: Account; wide?: boolean }) {
  const { t } = useTranslation('account');
  const f = useFormat();
  const label = t('today.of', { sent: f.number(a.sent_today), limit: f.number(a.daily_limit) });
  const share = Math.min(100, (a.sent_today / Math.max(1, a.daily_limit)) * 100);
  return (
    <Stack gap={3} miw={wide ? undefined : 110}>
      <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {label}
      </Text>
      <Progress value={share} size={wide ? 'md' : 'sm'} color={share >= 100 ? 'yellow.7' : undefined} aria-label={label} />
      {wide && (
        <Text size="xs" c="dimmed">
          {t(a.remaining_today > 0 ? 'today.left' : 'today.none', { count: a.remaining_today, at: f.clock(newDay) })}
        </Text>
      )}
    </Stack>
  );
}

const icons = { COOLDOWN: IconClockPause, PAUSED: IconClockPause, DISABLED: IconHandStop } as const;

/** What the state means, why it came, and what to do next; nothing for an account that simply sends. */
export function Explained({ account: a, action }: { account: Account; action?: ReactNode }) {
  const { t } = useTranslation('account');
  const state = shownState(a);
  if (state === 'ACTIVE') return null;
  const Icon = icons[state as keyof typeof icons] ?? IconAlertTriangle;
  const severe = state === 'RESTRICTED' || state === 'ERROR' || state === 'DISABLED';
  return (
    <Alert color={severe ? 'red' : 'yellow'} icon={<Icon aria-hidden />} title={t(`state.${state}`)} mb="md">
      <Stack gap="xs">
        <Text size="sm">
          {t(`means.${state}`)}
          {state === 'COOLDOWN' && a.cooldown_until && (
            <>
              {' '}
              <b>
                <Countdown until={a.cooldown_until} />
              </b>
            </>
          )}
        </Text>
        <Why account={a} />
        <Text size="sm" fw={550}>
          {t(`next.${state === 'COOLDOWN' ? 'wait' : nextStep(a)}`)}
        </Text>
        {action && <Group gap="xs">{action}</Group>}
      </Stack>
    </Alert>
  );
}

/** The messenger's own word for what happened, explained where we know it. */
function Why({ account: a }: { account: Account }) {
  const { t } = useTranslation('account');
  if (a.disabled_by_admin) return a.disabled_reason ? <Text size="sm">{t('adminReason', { reason: a.disabled_reason })}</Text> : null;
  if (!a.last_error || a.status === 'ACTIVE') return null;
  return <Text size="sm">{codeWord(a.last_error)}</Text>;
}
