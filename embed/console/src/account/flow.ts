// A sign-in survives a reload: where it is, is kept for the tab. Neither the number
// nor the code nor the password is.
import type { Flow } from './name';

const stored = 'svc.account.signin';

export interface Kept {
  flow: Flow;
  /** The account that signs in again; absent for a new one. */
  account?: string;
}

export function keepFlow(kept: Kept | null): void {
  try {
    if (kept) sessionStorage.setItem(stored, JSON.stringify(kept));
    else sessionStorage.removeItem(stored);
  } catch {
    // A tab that keeps nothing begins anew after a reload.
  }
}

/** The sign-in that this tab has open, for this account or a new one. */
export function keptFlow(account: string | undefined, now = Date.now()): Flow | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(stored) ?? 'null') as Kept | null;
    if (!kept || kept.account !== account || kept.flow.step === 'COMPLETED' || Date.parse(kept.flow.expires_at) <= now) return null;
    return kept.flow;
  } catch {
    return null;
  }
}

/** Refusals after which a sign-in takes no further step. */
export const ending: readonly string[] = [
  'phone_code_expired',
  'too_many_attempts',
  'flow_expired',
  'flow_failed',
  'flow_not_found',
  'phone_number_banned',
  'phone_number_unoccupied',
  'phone_number_invalid',
  'email_setup_required',
  'code_payment_required',
  'conflict',
  'invalid_state',
];

/** Refusals that this feature has its own sentences for, as "refusal.CODE". */
export const explained: readonly string[] = [
  'phone_code_invalid',
  'phone_code_expired',
  'password_hash_invalid',
  'phone_number_invalid',
  'phone_number_unoccupied',
  'phone_number_banned',
  'phone_number_flood',
  'too_many_attempts',
  'flow_expired',
  'flow_failed',
  'flow_not_found',
  'proxy_unavailable',
  'messenger_app_invalid',
  'email_setup_required',
  'code_payment_required',
  'gateway_unavailable',
  'proxy_in_use',
  'proxy_disabled',
  'person_required',
  'plan_limit_reached',
  'test_limit_reached',
  'recipient_suppressed',
  'account_unavailable',
  'account_in_use',
  'disabled_by_admin',
  'reauth_required',
  'restriction_not_acknowledged',
];

/** What a number begins with while nothing is typed. */
export const usualCode = '+998 ';

/**
 * A telephone number as it was typed, in international form: nine digits are a number of Uzbekistan. Empty when nothing
 * was typed but the code of the country.
 */
export function international(typed: string): string {
  // A whole number that was pasted behind the code of the country takes its place.
  const last = typed.lastIndexOf('+');
  if (last > typed.indexOf('+')) return international(typed.slice(last));
  const digits = typed.replace(/\D/g, '');
  if (digits === '' || digits === '998') return '';
  if (/^\s*\+/.test(typed)) return `+${digits}`;
  if (digits.length === 9) return `+998${digits}`;
  return digits.startsWith('00') ? `+${digits.slice(2)}` : `+${digits}`;
}
