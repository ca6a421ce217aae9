import type { Schema } from '@shell/first';

export type Recipient = Schema<'RecipientShownRecipient'>;
type Named = Pick<Recipient, 'first_name' | 'last_name' | 'username' | 'messenger_id'>;

/** What a person is called: by name, else by the username, else by the number at the messenger. */
export function nameOf(r: Named): string {
  const full = [r.first_name, r.last_name].filter(Boolean).join(' ');
  return full || (r.username ? `@${r.username}` : String(r.messenger_id ?? '–'));
}

/** What tells two people of one name apart. */
export function secondNameOf(r: Named): string | undefined {
  if (!r.first_name && !r.last_name) return undefined;
  return r.username ? `@${r.username}` : r.messenger_id ? String(r.messenger_id) : undefined;
}
