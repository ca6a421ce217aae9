// What a list and the pages that are opened from it know of each other; see Split.tsx.
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { createContext, useCallback, useContext, useMemo } from 'react';
import { stringifySearch } from '../api/address';
import type { Search } from '../link';

/** The list that stays mounted while a page opened from it is shown. */
export interface Kept {
  /** Its address. */
  path: string;
  /** What it is asked for, also while another page is open. */
  search: Search;
  /** Asks it for something else. */
  ask: (next: Search) => void;
  /** A page opened from it is shown: beside it, or instead of it. */
  open: boolean;
}

/** Around a list that stays mounted. */
export const ListContext = createContext<Kept | undefined>(undefined);
/** Around the pages opened from it. */
export const OpenedContext = createContext<Kept | undefined>(undefined);

/** Whether this is a list beside the page that was opened from it: it has the width of a phone. */
export function useIsBeside(): boolean {
  return useContext(ListContext)?.open ?? false;
}

interface Address {
  search: Search;
  /** The same as it stands in an address, with its "?". */
  searchStr: string;
  change: (to: (before: Search) => Record<string, unknown>) => void;
}

/** What the list on this page is asked for. It is in the address, or, while a page opened from the list is shown, kept beside it. */
export function useListAddress(): Address {
  const kept = useContext(ListContext);
  const location = useRouterState({ select: (s) => s.location.search as Search });
  const navigate = useNavigate();
  const search = kept?.search ?? location;
  const change = useCallback(
    (to: Parameters<Address['change']>[0]) => {
      if (kept?.open) kept.ask(set(to(kept.search)));
      else void navigate({ to: '.', search: to as never, replace: true, resetScroll: false });
    },
    [kept, navigate],
  );
  return useMemo(() => ({ search, searchStr: stringifySearch(search), change }), [search, change]);
}

/** Without what is not set. */
function set(search: Record<string, unknown>): Search {
  return Object.fromEntries(Object.entries(search).filter(([, v]) => v !== undefined && v !== '')) as Search;
}
