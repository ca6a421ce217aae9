import type { paths } from '../api/schema';

// What an event makes stale: the beginning of its type, and the paths whose answers it
// may have changed. A new kind of event is one line here.
export const staleBy: readonly (readonly [type: string, paths: readonly (keyof paths)[]])[] = [
  ['campaign.progress', ['/campaigns', '/dashboard']],
  ['campaign.', ['/campaigns', '/dashboard', '/notifications', '/analytics/messages']],
  ['message.', ['/campaigns', '/recipients', '/dashboard', '/analytics/messages', '/jobs']],
  ['recipient.import_progress', ['/recipient-imports']],
  ['recipient.imported', ['/recipients', '/recipient-imports', '/lists', '/dashboard', '/notifications']],
  ['recipient.opted_out', ['/recipients', '/suppressions', '/lists', '/dashboard']],
  ['account.', ['/accounts', '/dashboard', '/notifications', '/proxies']],
  ['webhook.', ['/webhooks', '/notifications']],
];

/** The types that the stream is asked to name: EventSource hears only names it was told. */
export const heardTypes = [
  'campaign.scheduled',
  'campaign.started',
  'campaign.resumed',
  'campaign.paused',
  'campaign.progress',
  'campaign.completed',
  'campaign.cancelled',
  'campaign.failed',
  'message.delivered',
  'message.failed',
  'message.skipped',
  'recipient.imported',
  'recipient.import_progress',
  'recipient.opted_out',
  'account.connected',
  'account.restricted',
  'account.auth_required',
  'account.disconnected',
  'account.paused',
  'account.resumed',
  'account.cooldown',
  'webhook.test',
  'webhook.disabled',
] as const;

export type EventType = (typeof heardTypes)[number];

/** The paths that an event makes stale. */
export function pathsOf(type: string): readonly string[] {
  return staleBy.find(([begin]) => type.startsWith(begin))?.[1] ?? [];
}

/** Every event also is a row of the event log. */
export const always = ['/events'] as const;
