// What was typed and not sent stays with its conversation, while others are opened and over a reload, until the tab is
// closed. It never leaves the browser.
import { useCallback, useState } from 'react';
import type { Words } from './outbox';

const keyOf = (conversation: string): string => `svc.draft.${conversation}`;
export const nothing: Words = { text: '', format: 'PLAIN', files: [] };

export function readDraft(conversation: string): Words {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(conversation)) ?? 'null') as Partial<Words> | null;
    return kept && typeof kept.text === 'string' ? { ...nothing, ...kept } : nothing;
  } catch {
    return nothing; // a browser that keeps nothing
  }
}

export function keepDraft(conversation: string, w: Words): void {
  try {
    if (w.text === '' && w.files.length === 0 && !w.quote) sessionStorage.removeItem(keyOf(conversation));
    else sessionStorage.setItem(keyOf(conversation), JSON.stringify(w));
  } catch {
    // It lives until the page is left.
  }
}

/** The draft of a conversation; use it below a key of the conversation. */
export function useDraft(conversation: string): [Words, (change: Partial<Words>) => void] {
  const [draft, setDraft] = useState(() => readDraft(conversation));
  const set = useCallback(
    (change: Partial<Words>) =>
      setDraft((old) => {
        const next = { ...old, ...change };
        keepDraft(conversation, next);
        return next;
      }),
    [conversation],
  );
  return [draft, set];
}
