// Limits of an organization as a form, and how it becomes the body of a request.

export const limitKeys = [
  'accounts',
  'active_campaigns',
  'members',
  'recipients',
  'webhooks',
  'storage_mb',
  'event_retention_days',
  'api_access',
] as const;

/** plan: what the plan gives; none: unlimited; number; yes and no for what is a truth. */
export interface Choice {
  kind: 'plan' | 'none' | 'number' | 'yes' | 'no';
  value: number | string;
}
export type LimitChoices = Record<string, Choice>;
type Values = Record<string, unknown> | null;

/** What is chosen now for a limit. */
export function choiceOf(overrides: Values, effective: Values, key: string): Choice {
  const holds = effective?.[key];
  const value = typeof holds === 'number' ? holds : 0;
  if (!overrides || !(key in overrides)) return { kind: 'plan', value };
  const own = overrides[key];
  if (own === null) return { kind: 'none', value };
  return typeof own === 'boolean' ? { kind: own ? 'yes' : 'no', value } : { kind: 'number', value };
}

function bodyOf(c: Choice): unknown {
  switch (c.kind) {
    case 'plan':
      return 'default';
    case 'none':
      return null;
    case 'number':
      return Number(c.value);
    default:
      return c.kind === 'yes';
  }
}

/** Only the limits that were changed: the others keep theirs. */
export function changed(before: LimitChoices, after: LimitChoices): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, c] of Object.entries(after)) {
    const was = before[key];
    if (!was || was.kind !== c.kind || (c.kind === 'number' && Number(was.value) !== Number(c.value))) out[key] = bodyOf(c);
  }
  return out;
}
