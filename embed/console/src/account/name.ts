import type { Schema } from '@shell/first';

export type Account = Schema<'AccountShown'>;
export type Proxy = Schema<'AccountShownProxy'>;
export type Flow = Schema<'AccountShownFlow'>;

type Named = Pick<Account, 'label' | 'first_name' | 'last_name' | 'username' | 'phone_masked'>;

/** What an account is called: by its label, else by the name at the messenger, else by the number. */
export function accountName(a: Named): string {
  return a.label || [a.first_name, a.last_name].filter(Boolean).join(' ') || (a.username ? `@${a.username}` : a.phone_masked);
}

export function proxyName(p: Pick<Proxy, 'name' | 'host' | 'port'>): string {
  return p.name || `${p.host}:${p.port}`;
}

export const accountStates = [
  'ACTIVE',
  'PAUSED',
  'AUTH_REQUIRED',
  'RESTRICTED',
  'DISCONNECTED',
  'ERROR',
] as const satisfies readonly Account['status'][];
export const proxyStates = ['UNCHECKED', 'ACTIVE', 'UNREACHABLE', 'AUTH_FAILED', 'DISABLED'] as const satisfies readonly Proxy['status'][];
export const proxyTypes = ['SOCKS5', 'HTTP', 'MTPROTO'] as const satisfies readonly Proxy['type'][];

/** What leads on from a state: the one step that a person takes next. */
export type Step = 'none' | 'resume' | 'acknowledge' | 'reauth' | 'check' | 'admin';

export function nextStep(a: Pick<Account, 'status' | 'disabled_by_admin'>): Step {
  if (a.disabled_by_admin) return 'admin';
  const steps: Record<Account['status'], Step> = {
    ACTIVE: 'none',
    PAUSED: 'resume',
    AUTH_REQUIRED: 'reauth',
    RESTRICTED: 'acknowledge',
    DISCONNECTED: 'check',
    ERROR: 'check',
  };
  return steps[a.status];
}

/** What state an account shows: cooling down and disabled are no statuses of the API, but what a person must see. */
export function shownState(
  a: Pick<Account, 'status' | 'disabled_by_admin' | 'cooldown_until'>,
  now = Date.now(),
): Account['status'] | 'COOLDOWN' | 'DISABLED' {
  if (a.disabled_by_admin) return 'DISABLED';
  return a.status === 'ACTIVE' && a.cooldown_until && Date.parse(a.cooldown_until) > now ? 'COOLDOWN' : a.status;
}

/** Seconds as hours, minutes and seconds on a clock: 1:02:09, 02:09. */
export function clock(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const s = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(s / 3600);
  return `${hours > 0 ? `${hours}:` : ''}${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}`;
}
