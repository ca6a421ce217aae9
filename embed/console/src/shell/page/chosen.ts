import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Scrolls a row of tabs that is wider than the window, so that the chosen one is whole and
 * in the middle of it.
 */
export function useChosenInSight<E extends HTMLElement>(chosen: string | null): RefObject<E | null> {
  const row = useRef<E>(null);
  useLayoutEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current="page"], [aria-selected="true"]');
    if (row.current && tab) row.current.scrollLeft += middle(tab) - middle(row.current);
  }, [chosen]);
  return row;
}

function middle(e: HTMLElement): number {
  const box = e.getBoundingClientRect();
  return box.left + box.width / 2;
}
