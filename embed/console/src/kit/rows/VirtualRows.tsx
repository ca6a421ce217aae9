// Rows of which only those in sight are drawn, for lists of hundreds and thousands: messages of a conversation,
// events as they come. Rows are as high as their content.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface Props<R> {
  rows: readonly R[];
  /** What tells a row from the others; it keeps its place while rows come before it. */
  id: (row: R) => string;
  children: (row: R, index: number) => ReactNode;
  /** How high a row is before it was drawn, in px. */
  estimate: number;
  /** The height of what scrolls: a CSS length, or "100%" of what it stands in. */
  height: string;
  /** What a screen reader calls it. */
  label: string;
  role?: 'log' | 'feed' | 'list';
  /** "end": opens at the last row and stays there while rows are added behind it, as conversations do. */
  from?: 'start' | 'end';
  /** The first row is near: rows before it may be asked for. */
  onStart?: () => void;
  /** The last row is near: rows behind it may be asked for. */
  onEnd?: () => void;
  /** The id of a row to be brought into sight: at first instead of the end, and whenever it changes. */
  show?: string;
  className?: string;
}

/** Rows above and below what is in sight that are drawn too. */
const overscan = 8;
/** ms for which a row that was brought into sight stays at the top. */
const held = 400;
/** So near to its end, in px, a list counts as being there. */
const atEnd = 80;

export function VirtualRows<R>(p: Props<R>) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, id, from = 'start' } = p;
  const v = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => p.estimate,
    getItemKey: (i) => id(rows[i]!),
    overscan,
    useFlushSync: false,
  });
  useAnchor(scroller, rows, id, from, v, p.show);
  const items = v.getVirtualItems();
  const [first, last] = [items[0]?.index, items.at(-1)?.index];
  const { onStart, onEnd } = p;
  useLayoutEffect(() => {
    if (first === 0) onStart?.();
    if (last === rows.length - 1) onEnd?.();
  }, [first, last, rows.length, onStart, onEnd]);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it always has one of the roles that have names
    <div
      ref={scroller}
      role={p.role ?? 'list'}
      aria-label={p.label}
      aria-live="off"
      tabIndex={0}
      className={p.className}
      style={{ height: p.height, overflowY: 'auto', overflowAnchor: 'none', contain: 'strict' }}
    >
      <div style={{ height: v.getTotalSize(), position: 'relative' }}>
        <div style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map((item) => (
            <div key={item.key} ref={v.measureElement} data-index={item.index} role={p.role === 'log' ? undefined : 'listitem'}>
              {p.children(rows[item.index]!, item.index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

type Virtual = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;

/** Holds what is read where it is: rows that come before it do not push it away, and a list that is at its end follows it. */
function useAnchor<R>(
  scroller: { current: HTMLDivElement | null },
  rows: readonly R[],
  id: (row: R) => string,
  from: 'start' | 'end',
  v: Virtual,
  show: string | undefined,
): void {
  const before = useRef<{ key: string; start: number; ended: boolean; count: number }>(undefined);
  const total = v.getTotalSize();
  /** What was brought into sight, and until when it is held there while rows find their heights. */
  const shown = useRef<{ id?: string; until: number }>({ until: 0 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || rows.length === 0) return;
    const was = before.current;
    const wanted = show === undefined ? -1 : rows.findIndex((r) => id(r) === show);
    if (wanted < 0) shown.current = { until: 0 };
    else if (shown.current.id !== show) shown.current = { id: show, until: performance.now() + held };
    if (wanted >= 0 && performance.now() < shown.current.until) {
      v.scrollToIndex(wanted, { align: 'start' });
      return;
    }
    if (!was ? from === 'end' : from === 'end' && was.ended) {
      v.scrollToIndex(rows.length - 1, { align: 'end' });
      box.scrollTop = box.scrollHeight;
    } else if (was && rows.length !== was.count) {
      const at = rows.findIndex((r) => id(r) === was.key);
      const start = at < 0 ? undefined : v.measurementsCache[at]?.start;
      if (start !== undefined && start !== was.start && box.scrollTop > 0) box.scrollTop += start - was.start;
    }
  }, [rows, total, show]);
  useLayoutEffect(() => {
    const box = scroller.current;
    const top = v.getVirtualItems().find((i) => i.end > (box?.scrollTop ?? 0));
    before.current =
      box && top && rows.length > 0
        ? {
            key: String(top.key),
            start: top.start,
            ended: box.scrollHeight - box.scrollTop - box.clientHeight < atEnd,
            count: rows.length,
          }
        : before.current;
  });
}
