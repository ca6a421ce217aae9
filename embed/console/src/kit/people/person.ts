// What people are called: names, then the username, then the number that the messenger gave.
import type { Schema } from '@shell';

export type Named = Pick<Schema<'RecipientShownRecipient'>, 'first_name' | 'last_name' | 'username' | 'messenger_id'>;

export function personName(p: Named): string {
  return [p.first_name, p.last_name].filter(Boolean).join(' ') || (p.username ? `@${p.username}` : String(p.messenger_id ?? '–'));
}

/** The name with the username beside it, where it says more: two people may have one name. */
export function personLabel(p: Named): string {
  const full = [p.first_name, p.last_name].filter(Boolean).join(' ');
  return full && p.username ? `${full} · @${p.username}` : personName(p);
}
