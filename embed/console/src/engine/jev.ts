// How the outside decision service is used, as a form has it; pure.
import type { Body, Schema } from '@shell';

export type Jev = Schema<'JevShown'>;

/** What a turn decides, and what an analysis finds of a conversation. */
export const ofDecisions = [
  'intent',
  'scenario',
  'sales_stage',
  'advance',
  'next_action',
  'interest',
  'lead_quality',
  'objection',
  'knowledge',
  'booking',
  'handoff',
  'stop',
  'disclose_ai',
  'custom',
] as const;
export const ofAnalyses = [
  'PURCHASE_OUTCOME',
  'LOST_REASON',
  'DISSATISFACTION',
  'DEMAND',
  'SERVICE_QUALITY',
  'satisfaction',
  'sentiment',
  'purchase_intent',
  'urgency',
  'trust',
  'complaint',
  'churn_risk',
  'price_objection',
  'competitor_mentioned',
  'unanswered_question',
] as const;

/** What holds for a field without a threshold of its own, where the settings of the seller say nothing. */
export const usual = 0.5;

export interface Draft {
  enabled: boolean;
  sharing_consent: boolean;
  base_url: string;
  api_key: string;
  forget_key: boolean;
  timeout_ms: number | string;
  fallback: Jev['fallback'];
  thresholds: { field: string; least: number | string }[];
}

export function draftOf(j: Jev): Draft {
  const order: readonly string[] = [...ofDecisions, ...ofAnalyses];
  return {
    enabled: j.enabled,
    sharing_consent: j.sharing_consent,
    base_url: j.base_url ?? '',
    api_key: '',
    forget_key: false,
    timeout_ms: j.timeout_ms,
    fallback: j.fallback,
    thresholds: Object.entries(j.thresholds ?? {})
      .map(([field, least]) => ({ field, least }))
      .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field)),
  };
}

/** All of it goes: what is left out gets its default. A key that is not typed stays. */
export function bodyOf(d: Draft): Body<'/ai/jev', 'put'> {
  return {
    enabled: d.enabled,
    sharing_consent: d.sharing_consent,
    base_url: d.base_url.trim() || null,
    api_key: d.forget_key ? '' : d.api_key.trim() || null,
    timeout_ms: d.timeout_ms === '' ? null : Number(d.timeout_ms),
    fallback: d.fallback,
    thresholds: Object.fromEntries(d.thresholds.filter((x) => x.least !== '').map((x) => [x.field, Number(x.least)])),
  };
}

/** What a test that failed says: that it took too long, the status of an answer, or another answer than agreed. */
export function faultOf(message: string | null): { key: 'late' | 'status' | 'otherwise'; status: string } {
  const status = /status (\d{3})/.exec(message ?? '')?.[1];
  if (status) return { key: 'status', status };
  return { key: /in time|not reached/.test(message ?? '') ? 'late' : 'otherwise', status: '' };
}
