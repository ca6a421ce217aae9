import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';

const twoDays = 48;
const tenths = (n: number): number => Math.round(n * 10) / 10;

/** A time that something takes, in the unit that people would say it in. */
export function durationOf(hours: number): { unit: 'minute' | 'hour' | 'day'; count: number } {
  if (hours < 1) return { unit: 'minute', count: Math.max(1, Math.ceil(hours * 60)) };
  return hours < twoDays ? { unit: 'hour', count: tenths(hours) } : { unit: 'day', count: tenths(hours / 24) };
}

/** The same in words. Not by Intl: browsers have no Uzbek units. */
export function useDuration(): (hours: number) => string {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  return (hours) => {
    const { unit, count } = durationOf(hours);
    return t(`duration.${unit}`, { count, text: f.number(count) });
  };
}
