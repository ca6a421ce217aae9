// The records of the AI engine, and how its numbers are written.
import type { Schema } from '@shell';

export type Provider = Schema<'EngineShownProvider'>;
export type Model = Schema<'EngineShownModel'>;
export type Execution = Schema<'EngineShownExecution'>;
export type WholeExecution = Schema<'EngineWholeExecution'>;
export type Step = Schema<'EngineShownStep'>;
export type Budget = Schema<'EngineShownBudget'>;
export type Costs = Schema<'EngineCosts'>;
export type Capabilities = Schema<'EngineCapabilities'>;

export const kinds = ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'OPENAI_COMPATIBLE'] as const;
export const agents = [
  'SELLER',
  'DECISION',
  'SUMMARY',
  'MEMORY',
  'CASES',
  'ANALYSIS',
  'NARRATIVE',
  'CALENDAR',
  'RESEARCH',
  'COMPOSER',
  'SOCIAL',
  'JUDGE',
] as const;
export const modes = ['LIVE', 'PLAYGROUND', 'EVAL', 'BACKGROUND'] as const;
export const statuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export const groupings = ['day', 'agent', 'model', 'provider', 'mode'] as const;

/** What a provider can do, as its test found it. */
export const abilities = ['text', 'json_schema', 'json_object', 'tools', 'embedding'] as const;

/** The abilities that any tested model of a provider has, in the order of abilities. */
export function abilitiesOf(supports: Readonly<Record<string, Capabilities>> | null): (typeof abilities)[number][] {
  const found = Object.values(supports ?? {});
  return abilities.filter((a) => found.some((c) => c[a]));
}

/** The parts of a budget as shares of its limit, in percent: what is over 100 is cut. */
export function parts(b: Pick<Budget, 'spent_usd' | 'reserved_usd' | 'limit_usd'>): { spent: number; reserved: number } {
  if (b.limit_usd <= 0) return { spent: b.spent_usd > 0 ? 100 : 0, reserved: 0 };
  const spent = Math.min(100, (b.spent_usd / b.limit_usd) * 100);
  return { spent, reserved: Math.min(100 - spent, (b.reserved_usd / b.limit_usd) * 100) };
}

/** What was spent until the end of each day, from the costs by day; days without cost too. */
export function burnDown(
  rows: readonly { key: string; cost_usd: number }[],
  from: string,
  to: string,
): { day: string; cost: number; sum: number }[] {
  const costs = new Map(rows.map((r) => [r.key, r.cost_usd]));
  const out: { day: string; cost: number; sum: number }[] = [];
  let sum = 0;
  for (let at = Date.parse(from.slice(0, 10)); at <= Date.parse(to.slice(0, 10)); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    const cost = costs.get(day) ?? 0;
    sum += cost;
    out.push({ day, cost, sum });
  }
  return out;
}
