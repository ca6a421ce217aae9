import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { VirtualRows } from './VirtualRows';

const rowHeight = 20;
const shown = 200;

/** Sizes as a browser would have them: the list scrolls, a row has 20 px. */
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.hasAttribute('data-index') ? rowHeight : shown;
  });
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(300);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(shown);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return Number.parseFloat((this.firstElementChild as HTMLElement | null)?.style.height ?? '0');
  });
});
afterEach(() => vi.restoreAllMocks());

const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

function list(of: readonly number[], more: Partial<Parameters<typeof VirtualRows<number>>[0]> = {}) {
  return (
    <VirtualRows rows={of} id={String} estimate={rowHeight} height="200px" label="Numbers" {...more}>
      {(n) => <p style={{ margin: 0 }}>row {n}</p>}
    </VirtualRows>
  );
}

const drawn = () => screen.queryAllByText(/^row/).map((e) => Number(e.textContent!.slice(4)));
const box = () => screen.getByLabelText('Numbers');

describe('of a thousand rows', () => {
  test('only those in sight are drawn, in a list as high as all of them', async () => {
    await act(async () => void render(list(rows(0, 1000))));
    expect(drawn()[0]).toBe(0);
    expect(drawn().length).toBeGreaterThanOrEqual(shown / rowHeight);
    expect(drawn().length).toBeLessThan(40);
    expect(box().scrollHeight).toBe(1000 * rowHeight);
  });

  test('others are drawn where it is scrolled to', async () => {
    await act(async () => void render(list(rows(0, 1000))));
    await act(async () => {
      box().scrollTop = 10_000;
      box().dispatchEvent(new Event('scroll'));
    });
    expect(drawn()).toContain(505);
    expect(drawn()).not.toContain(0);
  });

  test('more are asked for near the first and the last', async () => {
    const [onStart, onEnd] = [vi.fn(), vi.fn()];
    await act(async () => void render(list(rows(0, 1000), { onStart, onEnd })));
    expect([onStart.mock.calls.length > 0, onEnd.mock.calls.length]).toEqual([true, 0]);
    await act(async () => {
      box().scrollTop = 1000 * rowHeight - shown;
      box().dispatchEvent(new Event('scroll'));
    });
    expect(onEnd).toHaveBeenCalled();
  });
});

describe('a conversation', () => {
  test('opens at its end and stays there when something is said', async () => {
    let view: ReturnType<typeof render>;
    await act(async () => void (view = render(list(rows(0, 1000), { from: 'end' }))));
    await act(async () => box().dispatchEvent(new Event('scroll')));
    expect(drawn()).toContain(999);
    await act(async () => view.rerender(list(rows(0, 1001), { from: 'end' })));
    await act(async () => box().dispatchEvent(new Event('scroll')));
    expect(drawn()).toContain(1000);
  });

  test('what is read stays where it is when older rows come before it', async () => {
    let view: ReturnType<typeof render>;
    await act(async () => void (view = render(list(rows(500, 1000), { from: 'end' }))));
    await act(async () => {
      box().scrollTop = 2000; // row 600
      box().dispatchEvent(new Event('scroll'));
    });
    await act(async () => view.rerender(list(rows(400, 1000), { from: 'end' })));
    expect(box().scrollTop).toBe(2000 + 100 * rowHeight);
  });
});
