import type { Cache, Schema } from '@shell/first';

/** Puts the counts that an event tells into the campaign, wherever it was read. */
export function progress(data: Readonly<Record<string, unknown>>, cache: Cache): void {
  const totals = data.totals as Schema<'CampaignTotals'> | undefined;
  if (!totals) return;
  const counted = <C extends { id: string; totals: typeof totals }>(c: C): C => (c.id === data.campaign_id ? { ...c, totals } : c);
  cache.change('/campaigns/{id}', counted);
  cache.change('/campaigns', (page) => ({ ...page, data: page.data.map(counted) }));
}
