// The clock of everything that says how long ago something was: one for all, and only
// while somebody looks at it.
import { useSyncExternalStore } from 'react';

const step = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function listen(l: () => void): () => void {
  listeners.add(l);
  timer ??= setInterval(() => listeners.forEach((one) => one()), step);
  return () => {
    listeners.delete(l);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const now = (): number => Math.floor(Date.now() / step);

/** Draws the component again twice a minute. */
export function useClock(): void {
  useSyncExternalStore(listen, now);
}
