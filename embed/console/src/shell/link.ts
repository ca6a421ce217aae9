// Links and navigation that know the pages there are. Features take both from here, not from the router.
import { Link as RouterLink, useNavigate as useRouterNavigate } from '@tanstack/react-router';
import { type ComponentProps, type ComponentPropsWithRef, createElement, type ReactNode } from 'react';
import type { Href } from './addresses';

/** What a page is asked for, by parameter: ?tag=a&tag=b is { tag: ['a', 'b'] }. */
export type Search = Record<string, string | string[]>;
type Asked = Record<string, string | string[] | undefined>;

interface Target {
  /** A page, or "." for the one that is open. */
  to: Href | '.';
  search?: Asked | ((before: Search) => Asked);
  /** Instead of the page that is open, in the history of the browser. */
  replace?: boolean;
  /** false: the window stays where it is scrolled to. */
  resetScroll?: boolean;
}

type LinkProps = Target & Omit<ComponentPropsWithRef<'a'>, 'href'>;

/** Only the link to the open page itself is marked as the current one, not those to the pages above it. */
const itself = { exact: true };

/** A link to a page of the console. */
export function Link(p: LinkProps): ReactNode {
  return createElement(RouterLink, { activeOptions: itself, ...p } as ComponentProps<typeof RouterLink>);
}

/** Goes to a page of the console. ignoreBlocker: a form that was saved does not ask. */
export const useNavigate = useRouterNavigate as unknown as () => (to: Target & { ignoreBlocker?: boolean }) => Promise<void>;
