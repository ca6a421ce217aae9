import type { Href, Schema } from '@shell';

export type Campaign = Schema<'CampaignShown'>;
export type Totals = Schema<'CampaignTotals'>;
export type Report = Schema<'CampaignReport'>;
export type Check = Schema<'CampaignCheck'>;
export type Outcome = Schema<'SendRow'>;
export type Repeat = Schema<'CampaignRepeat'>;
export type Weekday = Repeat['weekdays'][number];

export const states = [
  'DRAFT',
  'SCHEDULED',
  'RUNNING',
  'PAUSED',
  'COMPLETED',
  'CANCELLED',
  'FAILED',
] as const satisfies readonly Campaign['status'][];
export const outcomes = [
  'PENDING',
  'QUEUED',
  'SENDING',
  'DELIVERED',
  'FAILED',
  'UNREACHABLE',
  'SKIPPED',
  'CANCELLED',
] as const satisfies readonly Outcome['status'][];
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const satisfies readonly Weekday[];

export const hasEnded = (c: Pick<Campaign, 'status'>): boolean => ['COMPLETED', 'CANCELLED', 'FAILED'].includes(c.status);

/** Fields that may change in a status (the API refuses others with field_locked). */
const open: Record<Campaign['status'], readonly string[] | 'all'> = {
  DRAFT: 'all',
  SCHEDULED: ['name', 'description', 'scheduled_at', 'end_at', 'sending_window', 'repeat', 'account_ids'],
  RUNNING: ['name', 'description', 'end_at'],
  PAUSED: ['name', 'description', 'end_at', 'sending_window', 'account_ids', 'message.text'],
  COMPLETED: [],
  CANCELLED: [],
  FAILED: [],
};

export function mayChange(c: Pick<Campaign, 'status'>, field: string): boolean {
  const fields = open[c.status];
  return fields === 'all' || fields.includes(field);
}

/** The colours of what became of people, in bars and rings alike. */
export const colors = { completed: 'teal.7', failed: 'red.7', skipped: 'gray.6', cancelled: 'gray.4', pending: 'blue.3' } as const;

type Named = Pick<Schema<'AccountShown'>, 'label' | 'first_name' | 'last_name' | 'username' | 'phone_masked'>;
export function accountName(a: Named): string {
  return a.label || [a.first_name, a.last_name].filter(Boolean).join(' ') || (a.username ? `@${a.username}` : a.phone_masked);
}

export type Group = 'message' | 'audience' | 'accounts' | 'schedule' | 'organization';

/** Where each check belongs: its group, and the step of the editor that mends it. */
export const groupOf: Readonly<Record<string, Group>> = {
  organization_active: 'organization',
  policy_accepted: 'organization',
  plan_limits: 'organization',
  message_content: 'message',
  message_length: 'message',
  template_variables: 'message',
  opt_out_link: 'message',
  attachments_ready: 'message',
  audience_not_empty: 'audience',
  audience_sendable: 'audience',
  consent_basis: 'audience',
  duplicate_send: 'audience',
  reachability: 'audience',
  accounts_selected: 'accounts',
  accounts_authorized: 'accounts',
  accounts_healthy: 'accounts',
  accounts_active: 'accounts',
  accounts_cooldown: 'accounts',
  accounts_in_use: 'accounts',
  proxies_reachable: 'accounts',
  schedule: 'schedule',
  sending_window: 'schedule',
  repeat_rule: 'schedule',
  capacity: 'schedule',
  quiet_hours: 'schedule',
};

/** Where a check is mended. */
export function mendAt(key: string, id: string, status: Check['status'] = 'FAIL'): Href | undefined {
  if (key === 'opt_out_link' && status === 'WARN') return undefined; // the address of the service is no matter of the text
  const elsewhere: Record<string, Href> = {
    proxies_reachable: '/proxies',
    accounts_authorized: '/accounts',
    accounts_healthy: '/accounts',
    accounts_cooldown: '/accounts',
    consent_basis: '/recipients?consent_status=UNKNOWN',
  };
  const group = groupOf[key];
  if (elsewhere[key]) return elsewhere[key];
  return group && group !== 'organization' ? `/campaigns/${id}/edit?step=${group}` : undefined;
}
