import { Button, Center, Skeleton } from '@mantine/core';
import { codeWord, Empty, Failed, type Moment, NamedThing, type Schema, Timeline, useFormat, useGet } from '@shell';
import {
  IconActivityHeartbeat,
  IconAdjustments,
  IconArrowsExchange,
  IconClockPause,
  IconFileImport,
  IconLink,
  IconMessages,
  IconRouteSquare,
  IconSend,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

type Entry = Schema<'AccountShownActivity'>;

const step = 15;
const icons = {
  CONNECTED: IconLink,
  STATUS_CHANGED: IconArrowsExchange,
  FLOOD_WAIT: IconClockPause,
  SENT_SUMMARY: IconMessages,
  HEALTH_CHECK: IconActivityHeartbeat,
  PROXY_CHANGED: IconRouteSquare,
  LIMITS_CHANGED: IconAdjustments,
  HISTORY_IMPORT: IconFileImport,
  TEST_MESSAGE: IconSend,
} as const satisfies Record<Entry['kind'], unknown>;

/** What happened to an account, newest first; the API keeps 90 days. */
export function Activity({ id }: { id: string }) {
  const { t } = useTranslation('account');
  const [limit, setLimit] = useState(step);
  const { data, error, isFetching, refetch } = useGet('/accounts/{id}/activity', { path: { id }, query: { limit } }, { keep: true });
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={120} />;
  if (data.data.length === 0) return <Empty title={t('activity.empty')} />;
  const moments = data.data.map((e, i): Moment => {
    const Icon = icons[e.kind];
    return {
      key: `${e.at}.${e.kind}.${data.total - i}`,
      at: e.at,
      title: <Title entry={e} />,
      text: <Words entry={e} />,
      icon: <Icon size={15} aria-hidden />,
    };
  });
  const rest = data.total - data.data.length;
  return (
    <>
      <Timeline moments={moments} />
      {rest > 0 && limit < 500 && (
        <Center mt="md">
          <Button variant="default" loading={isFetching} onClick={() => setLimit((n) => Math.min(500, n + step * 2))}>
            {t('activity.more', { count: rest })}
          </Button>
        </Center>
      )}
    </>
  );
}

/** The states that a message of the API names, "ACTIVE to PAUSED. …". */
export function statesOf(message: string): { from: string; to: string } | undefined {
  const found = /^([A-Z_]+) to ([A-Z_]+)\b/.exec(message);
  return found ? { from: found[1]!, to: found[2]! } : undefined;
}

function Title({ entry: e }: { entry: Entry }) {
  const { t, i18n } = useTranslation('account');
  const states = e.kind === 'STATUS_CHANGED' ? statesOf(e.message) : undefined;
  const known = (s: string) => i18n.exists(`state.${s}`, { ns: 'account' });
  if (states && known(states.from) && known(states.to))
    return t('activity.changed', { from: t(`state.${states.from}` as never), to: t(`state.${states.to}` as never) });
  return t(`activity.${e.kind}`);
}

function Words({ entry: e }: { entry: Entry }) {
  const { t } = useTranslation('account');
  const f = useFormat();
  const numbers = [...e.message.matchAll(/\d[\d,]*/g)].map((m) => Number(m[0].replaceAll(',', '')));
  const code = e.error_code && codeWord(e.error_code);
  return (
    <>
      {e.kind === 'SENT_SUMMARY' && numbers[0] !== undefined && t('activity.sent', { count: numbers[0], number: f.number(numbers[0]) })}
      {e.kind === 'LIMITS_CHANGED' &&
        numbers.length >= 2 &&
        t('activity.limits', { day: f.number(numbers[0]!), gap: f.number(numbers[1]!) })}
      {code}
      {e.campaign && (
        <>
          {' '}
          <NamedThing of={e.campaign} />
        </>
      )}
    </>
  );
}
