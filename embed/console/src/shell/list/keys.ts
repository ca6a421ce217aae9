import { useRouter, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, type RefObject, type SyntheticEvent, useEffect, useMemo } from 'react';
import { keyOf } from '../keys';
import { useIsBeside } from '../split/pane';
import { isTyping } from './typing';

/** The address of the page that is shown beside the list; undefined while the list is alone. */
export function useOpened(): string | undefined {
  const beside = useIsBeside();
  return useRouterState({ select: (s) => (beside ? s.location.pathname : undefined) });
}

/**
 * j and k move the focus along the rows, x selects; Enter is the link's own. Of several lists the one that has the
 * focus hears them, else the first.
 */
export function useRowKeys(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || isTyping(e.target) || document.querySelector('[aria-modal="true"]')) return;
      if (!hears(body.current)) return;
      const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const at = rows.findIndex((r) => r.contains(document.activeElement));
      const key = keyOf(e);
      if (key === 'x' && at >= 0) rows[at]?.querySelector<HTMLElement>('input[type=checkbox]')?.click();
      const to = key === 'j' ? Math.min(at + 1, rows.length - 1) : key === 'k' ? Math.max(at - 1, 0) : -1;
      if (to < 0) return;
      const open = rows[to]?.querySelector<HTMLElement>('[data-open]');
      open?.focus();
      open?.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [body]);
}

/** Whether keys are for this list, of those on the page. */
function hears(body: HTMLElement | null): boolean {
  const lists = [...document.querySelectorAll('tbody:has([data-row])')].filter((l) => l.checkVisibility?.() ?? true);
  return body !== null && (lists.find((l) => l.contains(document.activeElement)) ?? lists[0]) === body;
}

/** Links of rows, listened to once for all of them: followed in the page, and prepared when somebody points at one. */
export function useRowLinks() {
  const router = useRouter();
  return useMemo(() => {
    const of = (e: SyntheticEvent) =>
      (e.target as Element).closest<HTMLAnchorElement>('a[data-open]')?.getAttribute('href')?.slice(router.basepath.length);
    return {
      /** The address of a page of the console, as a link says it. */
      href: (to: string) => router.basepath + to,
      follow(e: MouseEvent) {
        const to = of(e);
        if (to === undefined || e.defaultPrevented || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
        e.preventDefault();
        void router.navigate({ to });
      },
      prepare(e: SyntheticEvent) {
        const to = of(e);
        if (to !== undefined) void router.preloadRoute({ to });
      },
    };
  }, [router]);
}
