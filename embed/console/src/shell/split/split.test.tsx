import { MantineProvider } from '@mantine/core';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider, useParams } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseSearch, stringifySearch } from '../api/address';
import { Page } from '../page/Page';
import Split from './Split';
import { useListAddress } from './pane';

const mounted = vi.fn();
const left = vi.fn();
const asking = vi.fn();

/** A list as pages have it: with something typed that is nowhere else, and filters. */
function List() {
  const [typed, setTyped] = useState('');
  const { search, change } = useListAddress();
  useEffect(() => {
    mounted();
    return left;
  }, []);
  asking(search);
  return (
    <Page title="People" lead="A sentence">
      <input aria-label="typed" value={typed} onChange={(e) => setTyped(e.currentTarget.value)} />
      <button type="button" onClick={() => change((now) => ({ ...now, tag: 'vip' }))}>
        only vip
      </button>
      <output>{JSON.stringify(search)}</output>
    </Page>
  );
}

function Person() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [opened] = useState(id);
  return (
    <Page title={`Person ${id}`} above={[{ label: 'People', to: '/recipients' }]}>
      <p>{opened}</p>
    </Page>
  );
}

async function go(start: string) {
  const root = createRootRoute({ component: () => <Outlet /> });
  const layout = createRoute({
    getParentRoute: () => root,
    path: '/recipients',
    component: () => <Split path="/recipients" list={<List />} isFull={(p) => p.endsWith('/edit')} />,
  });
  const at = (path: string, component: () => React.ReactNode) => createRoute({ getParentRoute: () => layout, path, component });
  layout.addChildren([at('/', () => null), at('/$id', Person), at('/$id/edit', Person)]);
  const router = createRouter({
    routeTree: root.addChildren([layout]),
    history: createMemoryHistory({ initialEntries: [start] }),
    parseSearch,
    stringifySearch,
  });
  await act(async () => {
    render(
      <MantineProvider env="test">
        <RouterProvider router={router as never} />
      </MantineProvider>,
    );
  });
  return (to: string) => act(() => router.navigate({ to }));
}

/** The width of the window, as the media queries of the console ask for it. */
function width(px: number) {
  const matches = (query: string) => px / 16 >= Number(/min-width: (\d+)em/.exec(query)?.[1] ?? 0);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matches(query),
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }));
}

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('scrollTo', vi.fn());
});
afterEach(() => vi.unstubAllGlobals());
const pane = () => document.querySelector<HTMLElement>('[data-pane=list]');

describe('where there is room for one', () => {
  beforeEach(() => width(1280));

  test('the list is kept while a page opened from it is shown, and comes back as it was', async () => {
    const open = await go('/recipients?tag=vip');
    fireEvent.change(screen.getByLabelText('typed'), { target: { value: 'half a word' } });
    await open('/recipients/rcp_1');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Person rcp_1');
    expect(getComputedStyle(pane()!).display).toBe('none');
    expect(left).toHaveBeenCalledTimes(1); // it listens to nothing meanwhile
    await act(async () => screen.getByRole('link', { name: 'People' }).click());
    expect(getComputedStyle(pane()!).display).not.toBe('none');
    expect(screen.getByLabelText<HTMLInputElement>('typed').value).toBe('half a word');
    expect(document.querySelector('output')?.textContent).toBe('{"tag":"vip"}');
    expect(document.title).toBe('People · svc');
  });

  test('the list is scrolled to where it was', async () => {
    const open = await go('/recipients');
    Object.defineProperty(window, 'scrollY', { value: 700, configurable: true });
    fireEvent.scroll(window);
    await open('/recipients/rcp_1');
    Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
    fireEvent.scroll(window);
    await act(async () => screen.getByRole('link', { name: 'People' }).click());
    expect(vi.mocked(window.scrollTo).mock.calls.at(-1)).toEqual([0, 700]);
  });

  test('a list that nobody has opened asks for nothing', async () => {
    const open = await go('/recipients/rcp_1');
    expect(mounted).not.toHaveBeenCalled();
    await open('/recipients');
    expect(mounted).toHaveBeenCalledTimes(1);
  });

  test('another record has nothing of the one before', async () => {
    const open = await go('/recipients/rcp_1');
    await open('/recipients/rcp_2');
    expect(screen.getByText('rcp_2')).toBeTruthy();
  });
});

describe('where there is room for both', () => {
  beforeEach(() => width(1600));

  test('the list stands beside the page, which is what the window is about', async () => {
    await go('/recipients/rcp_1');
    expect(document.querySelector('[data-beside]')).not.toBeNull();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Person rcp_1');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('People');
    expect(document.title).toBe('Person rcp_1 · svc');
    expect(screen.queryByText('A sentence')).toBeNull();
  });

  test('its filters change without closing the page, and are there when it is closed', async () => {
    await go('/recipients/rcp_1');
    await act(async () => screen.getByText('only vip').click());
    expect(document.querySelector('output')?.textContent).toBe('{"tag":"vip"}');
    expect(screen.getByText('rcp_1')).toBeTruthy();
    await act(async () => screen.getByRole('link', { name: 'People' }).click());
    expect(document.querySelector('output')?.textContent).toBe('{"tag":"vip"}');
    expect(mounted).toHaveBeenCalledTimes(1);
  });

  test('a page that needs the whole width has it, and the list is kept', async () => {
    const open = await go('/recipients');
    await open('/recipients/rcp_1/edit');
    expect(document.querySelector('[data-beside]')).toBeNull();
    expect(getComputedStyle(pane()!).display).toBe('none');
  });
});
