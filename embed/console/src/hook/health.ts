// How an endpoint and its deliveries do.
import type { Schema } from '@shell';

export type Webhook = Schema<'HookShown'>;
export type Delivery = Schema<'HookShownDelivery'>;
export type Attempt = Schema<'HookAttempt'>;

/** So many failures in a row disable an endpoint. */
export const mostFailures = 25;
/** From so many in a row on, only one attempt at a time is made; everything else waits behind it. */
export const probedFrom = 3;

export type Health = 'new' | 'healthy' | 'failing' | 'gaveUp' | 'off';

export function healthOf(w: Pick<Webhook, 'status' | 'disabled_reason' | 'failure_streak' | 'last_delivery_at'>): Health {
  if (w.status === 'DISABLED') return w.disabled_reason === 'FAILURES' ? 'gaveUp' : 'off';
  if (w.failure_streak > 0) return 'failing';
  return w.last_delivery_at ? 'healthy' : 'new';
}

/** The state whose colour each health has. */
export const colors: Record<Health, string> = { new: 'PENDING', healthy: 'HEALTHY', failing: 'WARN', gaveUp: 'FAILED', off: 'DISABLED' };

/** What an address is called: its host; the path may be a secret of the receiver. */
export const hostOf = (w: Pick<Webhook, 'url'>): string => new URL(w.url).host;

/** Whether another attempt of a delivery can be asked for. */
export const canRetry = (d: Pick<Delivery, 'status'>): boolean => d.status !== 'PENDING';
