// A first idea of how long sending takes; the checks and the rehearsal know it exactly.
import type { Schema } from '@shell';

type Pace = Pick<Schema<'AccountShown'>, 'daily_limit' | 'min_interval_seconds' | 'remaining_today'>;

/** Hours until so many messages are sent from these accounts, each taking an equal part of them. */
export function hoursFor(accounts: readonly Pace[], messages: number): number {
  if (accounts.length === 0 || messages <= 0) return 0;
  const each = Math.ceil(messages / accounts.length);
  return Math.max(...accounts.map((a) => hoursOf(a, each)));
}

/** Of one account, until its last message begins as in the checks: today's room at its pace, then whole days of its limit. */
export function hoursOf(a: Pace, messages: number): number {
  const atPace = (n: number) => (Math.max(0, n - 1) * a.min_interval_seconds) / 3600;
  const today = Math.min(messages, a.remaining_today);
  const rest = messages - today;
  if (rest <= 0) return atPace(today);
  const limit = Math.max(1, a.daily_limit);
  const fullDays = Math.ceil(rest / limit) - 1;
  return 24 * (fullDays + 1) + atPace(rest - fullDays * limit);
}
