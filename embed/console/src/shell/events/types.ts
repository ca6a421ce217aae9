/** The types of event that the console knows; the stream is asked for each by its name, for EventSource hears no others. */
export const eventTypes = [
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

export type EventType = (typeof eventTypes)[number];
/** The part of a type before its dot. */
export type EventGroup = EventType extends `${infer G}.${string}` ? G : never;
