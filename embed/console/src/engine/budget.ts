// The budgets of an organization are written as a whole: a change of one is a list with the others as they are.
import { useAction, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Budget } from './types';

export interface Wanted {
  period: Budget['period'];
  agent: Budget['agent'];
  limit_usd: number;
  on_limit: Budget['on_limit'];
  alert_thresholds?: number[];
}

/** At most 30 of an organization, and 30 of the platform. */
const whole = { query: { limit: 100 } };

export const useBudgets = () => useGet('/ai/budgets', whole);

/** The budgets of the organization without one of them, as they are written. */
export function others(all: readonly Budget[], but?: Budget): Wanted[] {
  return all
    .filter((b) => b.source === 'ORGANIZATION' && b.id !== but?.id)
    .map(({ period, agent, limit_usd, on_limit, alert_thresholds }) => ({
      period,
      agent,
      limit_usd,
      on_limit,
      alert_thresholds: alert_thresholds ?? undefined,
    }));
}

export function usePutBudgets(o: {
  done: 'budget.saved' | 'budget.removed';
  then: () => void;
  form?: { setErrors: (e: Record<string, string>) => void };
}) {
  const { t } = useTranslation('engine');
  const put = useAction('put', '/ai/budgets', { stale: ['/ai/budgets'], done: t(o.done), then: o.then, form: o.form });
  return { pending: put.pending, run: (budgets: Wanted[]) => void put.run({ body: { budgets } }) };
}
