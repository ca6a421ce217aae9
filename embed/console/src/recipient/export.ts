import { startOfDay } from '@shell/language/zone';

/** Where the list that an address shows is served as CSV; days become moments, as for the list itself. */
export function exportAddress(search: string, fixed: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(search);
  query.delete('page');
  for (const [name, later] of [
    ['created_from', 0],
    ['created_to', 1], // until it is over
  ] as const) {
    const day = query.get(name);
    const at = day === null ? undefined : startOfDay(day, later);
    if (at) query.set(name, at);
    else query.delete(name);
  }
  if ((query.get('q') ?? '').trim().length < 2) query.delete('q');
  for (const [k, v] of Object.entries(fixed)) query.set(k, v);
  query.set('format', 'csv');
  return `/api/v1/recipients?${query}`;
}
