// What an execution of the seller tells of one turn; pure.
import type { Schema } from '@shell';

export type Execution = Schema<'EngineWholeExecution'>;
export type Step = NonNullable<Execution['steps']>[number];

/** One field of the decision (contract 13.12). */
export interface Decided {
  field: string;
  value: string;
  confidence: number;
  threshold: number;
  source: 'RULES' | 'JEV' | 'LLM' | 'NONE';
  trusted: boolean;
}

/** In the order in which people ask. */
const order = [
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
];

/** The fields that were decided, without what else stands beside them. */
export function decidedOf(decision: Execution['decision']): Decided[] {
  const place = (field: string) => (order.indexOf(field) + order.length + 1) % (order.length + 1);
  return Object.entries(decision ?? {})
    .filter(([, v]) => typeof v === 'object' && v !== null && 'confidence' in v)
    .map(([field, v]) => ({ field, ...(v as Omit<Decided, 'field'>) }))
    .sort((a, b) => place(a.field) - place(b.field));
}

/** What the model says it used for its last answer; nothing where answers are not shown. */
export function usedOf(steps: readonly Step[]): { offers: string[]; chunks: string[] } {
  const answer = steps.filter((s) => s.kind === 'GENERATE' && s.answer).at(-1)?.answer;
  try {
    const { used_offer_ids: offers, used_chunk_ids: chunks } = JSON.parse(answer ?? '{}') as Record<string, unknown>;
    return { offers: texts(offers), chunks: texts(chunks) };
  } catch {
    return { offers: [], chunks: [] }; // a model that did not answer as it was told
  }
}

const texts = (x: unknown): string[] => (Array.isArray(x) ? x.filter((s) => typeof s === 'string') : []);

/** The tries to write a reply, each with the code of what refused it. */
export function triesOf(steps: readonly Step[]): { id: string; refused: string | null }[] {
  return steps.filter((s) => s.kind === 'VALIDATE').map((s) => ({ id: s.id, refused: s.status === 'FAILED' ? s.error_code : null }));
}
