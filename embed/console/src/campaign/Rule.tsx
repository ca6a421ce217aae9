import { Text } from '@mantine/core';
import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { type Campaign, type Repeat, weekdays } from './model';
import { nextRun } from './repeat';

/** "Every month on the 1st at 10:00 (Asia/Tashkent)". */
export function useRule(): (r: Repeat) => string {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  return (r) => {
    const days = r.weekdays.map((d) => f.weekdays[weekdays.indexOf(d)]).join(', ');
    const on =
      r.frequency === 'WEEKLY'
        ? days
          ? ` ${t('rule.days', { days })}`
          : ''
        : r.frequency === 'MONTHLY'
          ? ` ${r.day_of_month === 'LAST' ? t('rule.lastDay') : t('rule.day', { n: r.day_of_month ?? 1 })}`
          : '';
    return `${t(`rule.${r.frequency}`, { count: r.interval })}${on} ${t('rule.at', { time: r.time, zone: r.timezone })}`;
  };
}

/** A repetition in words, with its next run. */
export function Rule({ campaign: c, repeat: r = c.repeat }: { campaign: Campaign; repeat?: Repeat | null }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const words = useRule();
  if (!r) return null;
  const next = nextRun({ ...r, timezone: r.timezone || c.timezone }, new Date(c.started_at ?? c.scheduled_at ?? Date.now()));
  return (
    <Text size="sm" span>
      {words({ ...r, timezone: r.timezone || c.timezone })}. {next ? t('rule.next', { at: f.time(next) }) : t('rule.noNext')}
    </Text>
  );
}
