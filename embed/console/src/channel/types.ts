import type { Schema } from '@shell';

export type Channel = Schema<'ChannelShown'>;
export type Provider = Schema<'ChannelProvider'>;
export type Automation = Schema<'AutomationShown'>;
export type Networks = 'PHOTO_NETWORK' | 'PAGE_NETWORK' | 'VIDEO_NETWORK';

/** What to do about an account. */
export function needsConnect(c: Pick<Channel, 'status'>): boolean {
  return c.status === 'AUTH_REQUIRED' || c.status === 'DISCONNECTED';
}

/** What a callback says in the address: how many are connected, how many wait, or why not. */
export function outcomeOf(search: Record<string, unknown>) {
  const text = (key: string) => (search[key] === undefined ? '' : String(search[key]));
  return { connected: Number(text('connected') || 0), pending: Number(text('pending') || 0), state: text('state'), error: text('error') };
}
