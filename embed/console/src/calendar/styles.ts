// How the week looks. Objects and no file of their own: the list of such files is part of the first load.
import type { CSSProperties } from 'react';

const edge = '1px solid var(--mantine-color-default-border)';
const hour = '3rem';
const within: CSSProperties = { insetInline: 3, borderRadius: 'var(--mantine-radius-sm)' };
const stripes = (angle: string, color: string) => `repeating-linear-gradient(${angle}, ${color} 0 5px, transparent 5px 10px)`;

export const styles = {
  scroll: { overflowX: 'auto' },
  week: { display: 'grid', gridTemplateColumns: '3.5rem repeat(7, minmax(6.5rem, 1fr))', minWidth: '52rem' },
  clocks: {
    margin: '2rem 0 0',
    padding: 0,
    listStyle: 'none',
    fontSize: 'var(--mantine-font-size-xs)',
    color: 'var(--mantine-color-dimmed)',
  },
  clock: { height: hour, transform: 'translateY(-0.6em)' },
  day: { borderLeft: edge },
  name: { height: '2rem', paddingInline: 6, whiteSpace: 'nowrap' },
  blocks: {
    position: 'relative',
    margin: 0,
    padding: 0,
    listStyle: 'none',
    isolation: 'isolate',
    background: 'var(--mantine-color-default-hover)',
  },
  // Above the hours in which a business is open, and below all else.
  lines: {
    position: 'absolute',
    inset: 0,
    zIndex: 1,
    background: `repeating-linear-gradient(to bottom, var(--mantine-color-default-border) 0 1px, transparent 1px ${hour})`,
  },
  block: { position: 'absolute', insetInline: 0, zIndex: 1, overflow: 'hidden' },
  what: { display: 'block', padding: '1px 6px', fontSize: 'var(--mantine-font-size-xs)', fontWeight: 600, whiteSpace: 'nowrap' },
  legend: { padding: 0, marginBottom: 0, listStyle: 'none', fontSize: 'var(--mantine-font-size-sm)' },
  sample: { display: 'inline-block', width: '1.4rem', height: '0.9rem', marginRight: 6, verticalAlign: -1, border: edge },
} satisfies Record<string, CSSProperties>;

/** How high so many hours are. */
export const height = (hours: number): CSSProperties => ({ height: `calc(${hours} * ${hour})` });

/** How a kind of block looks. */
export const kinds = {
  open: { zIndex: 0, background: 'var(--mantine-color-body)' },
  busy: { ...within, background: 'var(--mantine-color-gray-light)', border: '1px solid var(--mantine-color-gray-outline)' },
  buffer: { insetInline: 3, background: stripes('45deg', 'var(--mantine-color-gray-light)') },
  notice: { background: stripes('-45deg', 'var(--mantine-color-yellow-light)') },
  booked: { ...within, background: 'var(--mantine-primary-color-filled)', color: 'var(--mantine-primary-color-contrast)' },
  waits: { ...within, background: 'var(--mantine-color-body)', border: '2px dashed var(--mantine-primary-color-filled)' },
} satisfies Record<string, CSSProperties>;
