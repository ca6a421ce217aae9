/** A day of the address as the moment at which it begins here; next: at which it is over. */
function moment(day: string, next: boolean): string | null {
  const at = new Date(`${day}T00:00:00`);
  if (Number.isNaN(at.getTime())) return null;
  if (next) at.setDate(at.getDate() + 1);
  return at.toISOString();
}

/** Where the list that an address shows is served as CSV; days become moments, as for the list itself. */
export function exportAddress(search: string, fixed: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(search);
  query.delete('page');
  for (const [name, next] of [
    ['created_from', false],
    ['created_to', true],
  ] as const) {
    const day = query.get(name);
    const at = day === null ? null : moment(day, next);
    if (at) query.set(name, at);
    else query.delete(name);
  }
  if ((query.get('q') ?? '').trim().length < 2) query.delete('q');
  for (const [k, v] of Object.entries(fixed)) query.set(k, v);
  query.set('format', 'csv');
  return `/api/v1/recipients?${query}`;
}
