// The map's key of this tab. It is shown to nobody and ends with the tab: whoever opens
// the console tomorrow may be somebody else.
import { useSyncExternalStore } from 'react';

const stored = 'svc.map-key';
const listeners = new Set<() => void>();
let now: string | undefined;

export function mapKey(): string {
  if (now === undefined) {
    try {
      now = sessionStorage.getItem(stored) ?? '';
    } catch {
      now = ''; // a browser that keeps nothing asks again
    }
  }
  return now;
}

export function setMapKey(key: string): void {
  now = key;
  try {
    sessionStorage.setItem(stored, key);
  } catch {
    // It holds until the page is closed.
  }
  listeners.forEach((l) => l());
}

export function useMapKey(): string {
  return useSyncExternalStore((l) => {
    listeners.add(l);
    return () => listeners.delete(l);
  }, mapKey);
}
