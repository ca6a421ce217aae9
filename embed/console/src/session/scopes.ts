// What a key may do: the permissions of API_CLIENT, grouped by what they are about.
import type { Schema } from '@shell';
import type { TFunction } from 'i18next';

export type Key = Schema<'SessionShownKey'>;

/** The permissions that a key can have, as the API checks them (a story holds them equal). */
export const keyScopes = [
  'org:read',
  'org:manage',
  'members:read',
  'accounts:read',
  'accounts:manage',
  'proxies:read',
  'proxies:manage',
  'recipients:read',
  'recipients:manage',
  'campaigns:read',
  'campaigns:manage',
  'campaigns:execute',
  'analytics:read',
  'audit:read',
  'webhooks:read',
  'webhooks:manage',
  'billing:read',
] as const;

/** They by subject, in that order. */
export function bySubject(scopes: readonly string[] = keyScopes): [subject: string, verbs: string[]][] {
  const out = new Map<string, string[]>();
  for (const scope of scopes) {
    const [subject = '', verb = ''] = scope.split(':');
    out.set(subject, [...(out.get(subject) ?? []), verb]);
  }
  return [...out];
}

/** "Recipients: read, change; Campaigns: read". */
export function scopeWords(t: TFunction<'session'>, scopes: readonly string[]): string {
  return bySubject(scopes)
    .map(([subject, verbs]) => `${t(`subject.${subject}`)}: ${verbs.map((v) => t(`verb.${v}`)).join(', ')}`)
    .join('; ');
}

/** Whole hours and minutes until then, never below none. */
export function leftOf(until: string, now: number): { hours: number; minutes: number } {
  const minutes = Math.max(0, Math.floor((new Date(until).getTime() - now) / 60_000));
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}
