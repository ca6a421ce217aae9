// A list and the page that was opened from it. The list stays mounted: its filters, its scroll position and
// what is selected are there when the page is closed. Where there is room both are shown.
import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Outlet, useChildMatches, useNavigate, useRouterState } from '@tanstack/react-router';
import { Activity, type ReactNode, Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Search } from '../link';
import { type Kept, ListContext, OpenedContext } from './pane';
import classes from './Split.module.css';

/** Enough for the navigation, a list of the width of a phone, and a page. */
const wide = '(min-width: 90em)';
/** Enough for a list, and a page that is as narrow. */
const narrower = '(min-width: 62em)';

interface Props {
  /** The address of the list. */
  path: string;
  list: ReactNode;
  /** See PageRoute. */
  near?: true;
  /** Whether a page, by its path, takes the whole width. */
  isFull: (path: string) => boolean;
}

export default function Split({ path, list, near, isFull }: Props) {
  const room = useMediaQuery(near ? narrower : wide, undefined, { getInitialValueInEffect: false });
  const page = useChildMatches({ select: (m) => m[0] && { path: m[0].fullPath as string, at: m[0].pathname } });
  const open = page !== undefined && trimmed(page.path) !== path;
  const kept = useKept(path, open);
  const beside = open && room && !isFull(page.path);
  const [seen, setSeen] = useState(!open || beside); // a list that nobody has seen yet asks for nothing
  if (!seen && (!open || beside)) setSeen(true);
  const pane = useRef<HTMLDivElement>(null);
  useScroll(open, pane, beside ? page.at : undefined);
  const hidden = open && !beside;
  const panes = [
    seen && (
      <Activity key="list" mode={hidden ? 'hidden' : 'visible'}>
        <ListContext value={kept}>
          <div className={classes.list} ref={pane} data-pane="list">
            <Suspense fallback={<Skeleton h={240} m="md" />}>{list}</Suspense>
          </div>
        </ListContext>
      </Activity>
    ),
    <OpenedContext key={open ? page.at : ''} value={kept}>
      <div className={classes.page} data-pane="page">
        <Outlet />
      </div>
    </OpenedContext>,
  ];
  return (
    <div className={classes.split} data-beside={beside || undefined}>
      {/* A list that is hidden stands behind the page: the first heading is that of what is shown. */}
      {hidden ? panes.reverse() : panes}
    </div>
  );
}

/** A path without a slash at its end. */
const trimmed = (path: string): string => path.replace(/(.)\/$/, '$1');

/** What the list is asked for: what the address says while it is alone, and the same until it is asked for something else. */
function useKept(path: string, open: boolean): Kept {
  const here = useRouterState({ select: (s) => (trimmed(s.location.pathname) === path ? (s.location.search as Search) : undefined) });
  const navigate = useNavigate();
  const [search, setSearch] = useState<Search>(here ?? {});
  if (here && here !== search) setSearch(here);
  const ask = useCallback(
    (next: Search) => {
      if (here) void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
      else setSearch(next);
    },
    [here, navigate],
  );
  return useMemo(() => ({ path, search, ask, open }), [path, search, ask, open]);
}

/** Where the list was scrolled to is where it is again; beside a page, the row of that page is in sight. */
function useScroll(open: boolean, pane: { current: HTMLElement | null }, beside: string | undefined): void {
  const y = useRef(0);
  useLayoutEffect(() => {
    if (open) return undefined;
    if (y.current) window.scrollTo(0, y.current);
    const keep = () => {
      y.current = window.scrollY;
    };
    addEventListener('scroll', keep, { passive: true });
    return () => removeEventListener('scroll', keep);
  }, [open]);
  useLayoutEffect(() => {
    if (beside) pane.current?.querySelector('[data-row][data-current]')?.scrollIntoView({ block: 'nearest' });
  }, [beside, pane]);
}
