import { keyOf } from '@shell/keys';
import { isTyping } from '@shell/list/typing';
import { useEffect, useRef } from 'react';

/** Keys of the page that are no typing and no commands of the browser. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || isTyping(e.target) || document.querySelector('[aria-modal="true"]')) return;
      const act = latest.current[keyOf(e)];
      if (!act) return;
      e.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
