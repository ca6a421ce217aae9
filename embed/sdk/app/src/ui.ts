type Props<E> = Partial<Omit<E, 'style' | 'children'>> & {
  class?: string;
  attrs?: Record<string, string>;
  on?: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
};
type Child = Node | string | null | undefined | false;

/** h makes an element; children that are empty are left out, text is never markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const { class: className, attrs, on, ...own } = props as Props<HTMLElement>;
  const e = Object.assign(document.createElement(tag), own);
  if (className) e.className = className;
  for (const [name, value] of Object.entries(attrs ?? {})) e.setAttribute(name, value);
  for (const [name, fn] of Object.entries(on ?? {})) e.addEventListener(name, fn as EventListener);
  e.append(...children.filter((c): c is Node | string => Boolean(c)));
  return e;
}

/** Drawings of the page, 24 by 24, as strokes. */
const drawings = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM16 16l5 5',
  directions: 'M12 3l9 9-9 9-9-9 9-9ZM9 15v-3h6M13 9l2.5 3L13 15',
  swap: 'M8 4v15M4 15l4 4 4-4M16 20V5M12 9l4-4 4 4',
  share: 'M12 15V4M8 7l4-4 4 4M5 12v7h14v-7',
  phone: 'M6 3h3l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3Z',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3Z',
  mail: 'M3 6h18v12H3ZM3 7l9 7 9-7',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7v5l3.5 2',
  pin: 'M12 2.5A6.5 6.5 0 0 0 5.5 9c0 5 6.5 12 6.5 12s6.5-7 6.5-12A6.5 6.5 0 0 0 12 2.5ZM12 6.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4Z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11v6M12 7.2v.6',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 20c0-3.5 3-5.5 6.5-5.5s6.5 2 6.5 5.5M16 5.5a3.5 3.5 0 0 1 0 6.5M18 14.8c2.2.8 3.5 2.6 3.5 5.2',
  code: 'M8 6l-6 6 6 6M16 6l6 6-6 6',
  key: 'M8 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 12h9.5v4M17 12v3',
  copy: 'M9 9h11v11H9ZM5 15H4V4h11v1',
  check: 'M5 12.5l5 5L20 7',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.8 1.8M17.2 17.2L19 19M5 19l1.8-1.8M17.2 6.8L19 5',
  settings: 'M4 7h9M19 7h1M4 17h3M13 17h7M16 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM10 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  reach:
    'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM12 6a6 6 0 0 1 6 6M12 18a6 6 0 0 1-6-6M12 2.5A9.5 9.5 0 0 1 21.5 12M12 21.5A9.5 9.5 0 0 1 2.5 12',
  car: 'M5 16.5H2.5V12.5l3.5-1L8.5 7h6.5l3.5 4.5 3 1v4H19M9.5 16.5h5.2M7.2 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM16.9 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM6 11.5h12.500',
  foot: 'M13 2.5a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6ZM8 11.5l3-3.5h3l2 3.5 3 1M12 8l-1 6 3 3 1 5M11 14l-1 4-3 4',
  bike: 'M6 12.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM18 12.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM6 16.5L9.5 9h6L18 16.5M9.5 9l3.5 7.5L15.5 9M14.5 5.5h2.5M8 9h3',
  truck: 'M2 6h12v11H2ZM14 10h4l4 4v3h-8ZM6.5 15.2a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM17.5 15.2a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  motorcycle: 'M5.5 13a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM18.5 13a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM5.5 17l4-6h6l3 6M15.5 11L14 7h-3M9.5 11L6 9.5H3',
  warning: 'M12 4l9.5 16h-19ZM12 10v4.5M12 17v.5',
  up: 'M6 15l6-6 6 6',
  target: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM12 2v5M12 17v5M2 12h5M17 12h5',
} as const;

export type Drawing = keyof typeof drawings;

const svgNamespace = 'http://www.w3.org/2000/svg';

/** draw makes a drawing from a path; it says nothing to screen readers. */
export function draw(d: string, size = 20): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  const attrs = {
    viewBox: '0 0 24 24',
    width: String(size),
    height: String(size),
    class: 'drawing',
    'aria-hidden': 'true',
    focusable: 'false',
  };
  for (const [name, value] of Object.entries(attrs)) svg.setAttribute(name, value);
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', d);
  svg.append(path);
  return svg;
}

export function drawing(name: Drawing, size = 20): SVGSVGElement {
  return draw(drawings[name], size);
}

/** iconButton is a round button whose name is only said, and shown as a tip. */
export function iconButton(name: Drawing, label: string, onClick: (e: MouseEvent) => void, className = ''): HTMLButtonElement {
  return h(
    'button',
    {
      type: 'button',
      class: `round ${className}`,
      title: label,
      attrs: { 'aria-label': label },
      on: { click: onClick },
    },
    drawing(name),
  );
}

/** textButton is a button with a drawing before its words. */
export function textButton(name: Drawing, label: string, onClick: () => void, className = ''): HTMLButtonElement {
  return h('button', { type: 'button', class: `action ${className}`, on: { click: onClick } }, drawing(name), h('span', {}, label));
}

/** webAddress keeps addresses from map data from being anything but web pages. */
export function webAddress(text: unknown): string {
  if (typeof text !== 'string' || !text) return '';
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : '';
  } catch {
    return '';
  }
}

/** outside is a link that leaves the page. */
export function outside(href: string, text: string): HTMLAnchorElement {
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text);
}

/** copy puts text on the clipboard; pages without TLS have only the old way. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h('textarea', { value: text, class: 'quiet', readOnly: true });
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

/** debounce calls fn once things have been quiet for so many milliseconds. */
export function debounce(fn: () => void, quiet: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(fn, quiet);
  };
}
