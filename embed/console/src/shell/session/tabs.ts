// The tabs of one browser share one session: what one of them does to it, the others
// must see.
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('svc.session');

/** Tells the other tabs that who is signed in, or where, may have changed. */
export function tellTabs(): void {
  channel?.postMessage('changed');
}

/** Calls back when another tab said so. */
export function onOtherTab(changed: () => void): () => void {
  channel?.addEventListener('message', changed);
  return () => channel?.removeEventListener('message', changed);
}
