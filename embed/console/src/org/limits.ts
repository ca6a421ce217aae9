// What a limit of the plan means for a person.

/** In the order of the page. Those of parts that the console has not are left out. */
export const shownLimits = [
  'recipients',
  'accounts',
  'active_campaigns',
  'members',
  'webhooks',
  'storage_mb',
  'api_access',
  'event_retention_days',
] as const;

/** From here on a limit is near, as the service warns people. */
const near = 0.9;

export type Line = { kind: 'yes' | 'no' | 'unlimited' } | { kind: 'of'; limit: number; level: 'free' | 'near' | 'full' };

/** limit: a number, null for unlimited, or yes and no. */
export function lineOf(limit: unknown, used: number): Line {
  if (limit === null || limit === undefined) return { kind: 'unlimited' };
  if (typeof limit === 'boolean') return { kind: limit ? 'yes' : 'no' };
  const most = Number(limit);
  return { kind: 'of', limit: most, level: used >= most ? 'full' : used >= most * near ? 'near' : 'free' };
}

/** In percent, never above the whole. */
export const fullness = (limit: number, used: number): number => (limit > 0 ? Math.min(100, (used / limit) * 100) : 100);

/** Every day from the first to the last, in order; those without messages are there too. */
export function everyDay<R extends { key: string }>(rows: readonly R[], from: string, to: string): { day: string; row?: R }[] {
  const known = new Map(rows.map((r) => [r.key.slice(0, 10), r]));
  const out: { day: string; row?: R }[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    out.push({ day, row: known.get(day) });
  }
  return out;
}
