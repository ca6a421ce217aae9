import { MantineProvider, Menu } from '@mantine/core';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gate } from '../session/gate';
import { Confirm } from './Confirm';
import { Dialog } from './Dialog';
import { mayLeave } from './leave';
import { Unsaved } from './Unsaved';

const show = (what: ReactNode) => render(<MantineProvider env="test">{what}</MantineProvider>);
const button = (name: string) => screen.getByRole('button', { name, hidden: true });
const focused = () => document.activeElement;

function Opening({ gone = false, then = false }: { gone?: boolean; then?: boolean }) {
  const [open, setOpen] = useState(0);
  return (
    <main>
      <h1 tabIndex={-1}>Page</h1>
      {!(gone && open) && (
        <button type="button" onClick={() => setOpen(1)}>
          open
        </button>
      )}
      {open === 1 && (
        <Dialog onClose={() => setOpen(then ? 2 : 3)} title="First">
          <input data-autofocus aria-label="field" />
        </Dialog>
      )}
      {open === 2 && (
        <Dialog onClose={() => setOpen(3)} title="Second">
          <input aria-label="field" />
        </Dialog>
      )}
    </main>
  );
}

function press(name: string): void {
  button(name).focus();
  fireEvent.click(button(name));
}

const escape = () => fireEvent.keyDown(document.body, { key: 'Escape' });

describe('a dialog gives the focus back', () => {
  test('to what it was opened by', async () => {
    show(<Opening />);
    press('open');
    await waitFor(() => expect(focused()).toBe(screen.getByLabelText('field')));
    escape();
    expect(focused()).toBe(button('open'));
  });
  test('through the dialog that came between', async () => {
    show(<Opening then />);
    press('open');
    await waitFor(() => expect(focused()).toBe(screen.getByLabelText('field')));
    escape();
    await screen.findByText('Second');
    await waitFor(() => expect(focused()?.closest('[role=dialog]')).not.toBeNull());
    escape();
    expect(focused()).toBe(button('open'));
  });
  test('to the title of the page when what opened it is gone', async () => {
    show(<Opening gone />);
    press('open');
    await waitFor(() => expect(focused()).toBe(screen.getByLabelText('field')));
    escape();
    expect(focused()).toBe(screen.getByRole('heading', { name: 'Page' }));
  });
  test('to the button of the menu that it was chosen in', async () => {
    function Choosing() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <Menu>
            <Menu.Target>
              <button type="button">menu</button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setOpen(true)}>item</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {open && (
            <Dialog onClose={() => setOpen(false)} title="D">
              <input aria-label="field" />
            </Dialog>
          )}
        </>
      );
    }
    show(<Choosing />);
    press('menu');
    const item = await screen.findByRole('menuitem');
    item.focus();
    fireEvent.click(item);
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
    await waitFor(() => expect(focused()?.closest('[role=dialog]')).not.toBeNull());
    escape();
    expect(focused()).toBe(button('menu'));
  });
});

describe('a click beside a question', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  test('does not close it when it is the second of a double click', () => {
    const closed = vi.fn();
    show(<Confirm title="Launch?" consequence="5 people" act="Launch" onConfirm={() => {}} onClose={closed} />);
    const overlay = document.querySelector('.mantine-Modal-overlay')!;
    act(() => vi.advanceTimersByTime(400));
    fireEvent.click(overlay);
    expect(closed).not.toHaveBeenCalled();
    act(() => vi.advanceTimersByTime(200));
    fireEvent.click(overlay);
    expect(closed).toHaveBeenCalledOnce();
  });
});

describe('a form with something unsaved', () => {
  afterEach(() => gate.open());
  async function onForm() {
    const form = { dirty: true, isDirty: () => form.dirty };
    const root = createRootRoute({
      component: () => (
        <>
          <Link to={'/other' as never}>other</Link>
          <Outlet />
        </>
      ),
    });
    const at = (path: string, text: string, more?: ReactNode) =>
      createRoute({
        getParentRoute: () => root,
        path,
        component: () => (
          <main>
            <h1>{text}</h1>
            {more}
          </main>
        ),
      });
    const router = createRouter({
      routeTree: root.addChildren([at('/', 'Form', <Unsaved form={form} />), at('/other', 'Other')]),
      history: createMemoryHistory({ initialEntries: ['/'] }),
    });
    show(<RouterProvider router={router} />);
    await screen.findByRole('heading', { name: 'Form' });
    return form;
  }
  const other = () => fireEvent.click(screen.getByText('other'));
  test('asks before it is left, and stays or goes', async () => {
    await onForm();
    other();
    fireEvent.click(await screen.findByText('unsaved.stay'));
    await waitFor(() => expect(screen.queryByText('unsaved.title')).toBeNull());
    expect(screen.getByText('Form')).toBeTruthy();
    other();
    fireEvent.submit((await screen.findByText('unsaved.leave')).closest('form')!);
    await screen.findByRole('heading', { name: 'Other' });
    expect(await mayLeave()).toBe(true);
  });
  test('asks before the session is ended, too', async () => {
    await onForm();
    let may: boolean | undefined;
    void mayLeave().then((yes) => {
      may = yes;
    });
    fireEvent.submit((await screen.findByText('unsaved.leave')).closest('form')!);
    await waitFor(() => expect(may).toBe(true));
  });
  test('asks nothing once it is saved', async () => {
    (await onForm()).dirty = false;
    other();
    await screen.findByRole('heading', { name: 'Other' });
  });
  test('asks nothing when the session has ended', async () => {
    await onForm();
    void gate.passed();
    other();
    await screen.findByRole('heading', { name: 'Other' });
  });
});
