import { distanceText, type Result } from 'svc-map';
import type { App } from './app';
import { openPlace } from './place';
import { h } from './ui';

/** resultList is a list of places that open when they are pressed. */
export function resultList(app: App, results: readonly Result[]): HTMLElement {
  return h(
    'ul',
    { class: 'results' },
    ...results.map((r) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'result', on: { click: () => openPlace(app, r, true) } },
          app.map.icons.icon(r.icon),
          h('span', { class: 'two' }, h('b', {}, r.name), h('small', {}, r.category_label || r.label)),
          Boolean(r.distance) && h('small', {}, distanceText(r.distance ?? 0, app.lang)),
        ),
      ),
    ),
  );
}
