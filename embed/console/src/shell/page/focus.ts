// Where the cursor goes when a dialog is gone.
import { useEffect, useState } from 'react';

/** The ways back of the dialogs that are open, the last opened at the end. */
const open: (readonly Element[])[] = [];

/**
 * useFocusBack returns the focus when the component goes: to where it was when it came,
 * to the button of the menu that this was in, to where the dialog before this one would
 * have returned it, else to the title of the page. It takes it from nobody.
 */
export function useFocusBack(): void {
  const [back] = useState(waysBack);
  useEffect(() => {
    open.push(back);
    return () => {
      open.splice(open.indexOf(back), 1);
      if (document.activeElement && document.activeElement !== document.body) return;
      [...back, document.querySelector('main h1'), document.getElementById('page')].some(focus);
    };
  }, [back]);
}

function waysBack(): readonly Element[] {
  const from = document.activeElement;
  if (!from || from === document.body) return open.at(-1) ?? [];
  const menu = from.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const button = menu && document.getElementById(menu);
  return [from, ...(button ? [button] : []), ...(from.closest('[role=dialog]') ? (open.at(-1) ?? []) : [])];
}

/** Says whether it took the focus: what is gone, hidden or disabled does not. */
function focus(to: Element | null): boolean {
  (to as HTMLElement | null)?.focus({ preventScroll: true });
  return to !== null && document.activeElement === to;
}
