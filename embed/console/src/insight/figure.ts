import { useFormat } from '@shell';
import type { Metric } from './types';

/** Writes a figure as people read it. */
export function useFigure() {
  const f = useFormat();
  return (value: number | null, unit: Metric['unit']) => {
    if (value === null) return '–';
    return unit === 'SHARE' ? f.percent(value) : f.number(Math.round(value * 10) / 10);
  };
}
