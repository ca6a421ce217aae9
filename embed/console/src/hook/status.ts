// What turning a webhook on or off makes of it, shown before the server has answered.
import type { Cache } from '@shell/first';
import type { Webhook } from './health';

type Stands = Pick<Webhook, 'status' | 'disabled_reason' | 'failure_streak'>;

export const turnedOff = <W extends Stands>(w: W): W => ({ ...w, status: 'DISABLED', disabled_reason: 'USER' });
export const turnedOn = <W extends Stands>(w: W): W => ({ ...w, status: 'ACTIVE', disabled_reason: null, failure_streak: 0 });

/** Changes a webhook on its page and in every list. */
export function changeWebhook(cache: Cache, id: string, to: <W extends Stands>(w: W) => W): void {
  const change = <W extends Stands & { id: string }>(w: W): W => (w.id === id ? to(w) : w);
  cache.change('/webhooks/{id}', change);
  cache.change('/webhooks', (page) => ({ ...page, data: page.data.map(change) }));
}
