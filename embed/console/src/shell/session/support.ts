// What refusals tell of the session, which may have become one of support since it was asked who is here.

const codes = ['support_session', 'support_read_only'];
const listeners = new Set<() => void>();
let refused = false;

function become(now: boolean): void {
  if (refused === now) return;
  refused = now;
  listeners.forEach((l) => l());
}

/** Whether something was refused because the session is one of support. */
export const refusedAsSupport = {
  /** Every refusal passes here, by its code. */
  hear: (code: string): void => {
    if (codes.includes(code)) become(true);
  },
  /** The session may be another one now. */
  forget: (): void => become(false),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: (): boolean => refused,
};
