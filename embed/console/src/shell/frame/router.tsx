// Addresses. Every page is loaded when it is first opened; what is typed, chosen and
// turned in lists is in the address, as plain parameters.
import { Box, Skeleton, Stack, Title } from '@mantine/core';
import {
  type AnyRoute,
  type AsyncRouteComponent,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  useRouter,
  useRouterState,
} from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { parseSearch, stringifySearch } from '../api/address';
import type { Feature, PageRoute } from '../feature';
import { loadCodes } from '../codes/load';
import { ApiError, asApiError } from '../api/error';
import { late, page, reachable } from '../api/part';
import { useStreamState } from '../events/Events';
import { useCan } from '../session/me';
import type SplitPage from '../split/Split';
import { Frame } from './Frame';
import { areasFor, openEntry } from './areas';

/** Pages with nothing to show come with the menus, which follow the frame. */
const Failed = late(() => import('../page/Empty').then((m) => ({ default: m.Failed })));
const NotFound = late(() => import('../page/Empty').then((m) => ({ default: m.NotFound })));
const NotAllowed = late(() => import('../page/Empty').then((m) => ({ default: m.NotAllowed })));

export function makeRouter(features: readonly Feature[]) {
  const root = createRootRoute({
    component: () => (
      <Frame features={features}>
        <Outlet />
      </Frame>
    ),
    notFoundComponent: () => (
      <Suspense>
        <NotFound />
      </Suspense>
    ),
    // An address that no page has is looked up before there is a frame: nothing is shown instead of it.
    pendingComponent: () => null,
  });
  const pages = features.flatMap((f) => f.pages);
  const lists = new Set(pages.map((p) => p.within));
  const alone = pages.filter((p) => !p.within && !lists.has(p.path));
  const routes = alone.map((page) => createRoute({ getParentRoute: () => root, path: page.path, component: guarded(page) }));
  const splits = pages.filter((p) => lists.has(p.path)).map((list) => split(root, list, pages));
  const home = pages.some((p) => p.path === '/')
    ? []
    : [createRoute({ getParentRoute: () => root, path: '/', component: () => <Home features={features} /> })];
  const router = createRouter({
    routeTree: root.addChildren([...home, ...routes, ...splits]),
    basepath: '/console',
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: () => <Waiting features={features} />,
    // The first page has its heading at once; later ones only when they are slow.
    defaultPendingMs: 0,
    defaultErrorComponent: Broken,
  });
  const shown = router.subscribe('onResolved', () => {
    shown();
    router.update({ ...router.options, defaultPendingMs: 300 } as never);
  });
  return router;
}

function guarded(route: PageRoute) {
  const Content: AsyncRouteComponent<object> = lazyRouteComponent(
    page(() => Promise.all([route.load(), loadCodes()]).then(([m]) => m)) as () => Promise<{ default: (props: object) => ReactNode }>,
  );
  function Guarded() {
    const can = useCan();
    if (can(route.needs)) return <Content />;
    return (
      <Suspense>
        <NotAllowed />
      </Suspense>
    );
  }
  return Object.assign(Guarded, { preload: Content.preload });
}

const Split = lazyRouteComponent(page(() => import('../split/Split'))) as AsyncRouteComponent<ComponentProps<typeof SplitPage>>;

/** A list that stays mounted, and the pages that are opened from it. */
function split(root: AnyRoute, list: PageRoute, pages: readonly PageRoute[]): AnyRoute {
  const own = pages.filter((p) => p.within === list.path);
  const full = new Set(own.filter((p) => p.full).map((p) => p.path));
  const List = guarded(list);
  const Layout = () => <Split path={list.path} near={list.near} list={<List />} isFull={(path) => full.has(path)} />;
  const layout = createRoute({
    getParentRoute: () => root,
    path: list.path,
    component: Object.assign(Layout, { preload: Split.preload }),
  });
  // The list is drawn by the layout; its own route has its code loaded.
  const index = createRoute({
    getParentRoute: () => layout,
    path: '/',
    component: Object.assign(() => null, { preload: List.preload }),
  });
  const opened = own.map((p) => createRoute({ getParentRoute: () => layout, path: p.path.slice(list.path.length), component: guarded(p) }));
  return layout.addChildren([index, ...opened]);
}

/** The first page that the person may open. */
function Home({ features }: { features: readonly Feature[] }) {
  const first = areasFor(features, useCan())[0]?.entries[0];
  if (first) return <Navigate to={first.to} replace />;
  return (
    <Suspense>
      <NotAllowed />
    </Suspense>
  );
}

/** A page that is on its way: its heading as the navigation names it, and where its content will be. */
function Waiting({ features }: { features: readonly Feature[] }) {
  const { t } = useTranslation(['shell/frame', 'nav']);
  const can = useCan();
  const path = useRouterState({ select: (s) => s.location.pathname });
  const entries = areasFor(features, can).flatMap((a) => a.entries);
  const entry = openEntry(entries, path);
  return (
    <Box p={{ base: 'sm', sm: 'lg' }} maw={1400} aria-busy>
      <Title order={1}>{entry?.to === path ? t(`nav:${entry.feature}.${entry.label}` as never) : '…'}</Title>
      <Stack mt="md" role="status" aria-label={t('loading')}>
        <Skeleton h={120} />
        <Skeleton h={240} />
      </Stack>
    </Box>
  );
}

/**
 * A page whose code is gone was of another version: the new one is a reload away. One
 * that could not be loaded opens when the server is back.
 */
function Broken({ error }: { error: unknown }) {
  const router = useRouter();
  const live = useStreamState() === 'live';
  const unreachable = error instanceof ApiError && error.code === 'page_unreachable';
  const gone = /dynamically imported module|Importing a module script|Unable to preload/i.test(String(error));
  const again = () => void reachable().then((there) => there && location.reload()); // a browser's own page would be all that is left
  useEffect(() => {
    if (gone && !sessionStorage.getItem('svc.reloaded')) {
      sessionStorage.setItem('svc.reloaded', '1');
      again();
    }
  }, [gone]);
  useEffect(() => {
    if (unreachable && live) again();
  }, [unreachable, live]);
  return (
    <Suspense>
      <Failed error={asApiError(error)} onAgain={() => (gone || unreachable ? again() : void router.invalidate())} />
    </Suspense>
  );
}
