import { type RefObject, useEffect } from 'react';
import { isTyping } from './Filters';

/** j and k move the focus along the rows, x selects; Enter is the link's own. */
export function useRowKeys(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || isTyping(e.target) || document.querySelector('[aria-modal="true"]')) return;
      const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const at = rows.findIndex((r) => r.contains(document.activeElement));
      if (e.key === 'x' && at >= 0) rows[at]?.querySelector<HTMLElement>('input[type=checkbox]')?.click();
      const to = e.key === 'j' ? Math.min(at + 1, rows.length - 1) : e.key === 'k' ? Math.max(at - 1, 0) : -1;
      if (to < 0) return;
      const open = rows[to]?.querySelector<HTMLElement>('[data-open]');
      open?.focus();
      open?.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [body]);
}
