// What pausing and resuming make of a campaign, shown before the server has answered.
import type { Cache } from '@shell/first';
import type { Campaign } from './model';

type Stands = Pick<Campaign, 'status' | 'pause_reason' | 'waiting_reason' | 'started_at' | 'scheduled_at'>;

export const paused = <C extends Stands>(c: C): C => ({ ...c, status: 'PAUSED', pause_reason: 'USER', waiting_reason: null });

/** One that never began waits for its time, if that is still to come. */
export function resumed<C extends Stands>(c: C, now = Date.now()): C {
  const waits = c.started_at === null && c.scheduled_at !== null && Date.parse(c.scheduled_at) > now;
  return { ...c, status: waits ? 'SCHEDULED' : 'RUNNING', pause_reason: null };
}

/** Changes a campaign on its page and in every list. */
export function changeCampaign(cache: Cache, id: string, to: <C extends Stands>(c: C) => C): void {
  const change = <C extends Stands & { id: string }>(c: C): C => (c.id === id ? to(c) : c);
  cache.change('/campaigns/{id}', change);
  cache.change('/campaigns', (page) => ({ ...page, data: page.data.map(change) }));
}
