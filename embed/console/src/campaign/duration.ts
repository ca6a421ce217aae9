import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';

const twoDays = 48;
const tenths = (n: number): number => Math.round(n * 10) / 10;

/**
 * Hours in hundredths, rounded up as the checks answer them: what they, the editor and the rehearsal found reads the
 * same. Half a second is none.
 */
const hundredths = (hours: number): number => Math.ceil((hours * 3600 - 0.5) / 36) / 100;

/** A time that something takes, in the unit that people would say it in. */
export function durationOf(exactly: number): { unit: 'minute' | 'hour' | 'day'; count: number } {
  const hours = hundredths(exactly);
  if (hours < 1) return { unit: 'minute', count: Math.max(1, Math.round(hours * 60)) };
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
