import { distanceText, type Route, type Step } from 'svc-map';
import type { App } from './app';
import { arrow } from './arrows';
import { duration, t, type Key } from './i18n';
import { h } from './ui';

/** routeList is the ways to choose from. */
export function routeList(app: App, routes: readonly Route[], selected: number, select: (i: number) => void): HTMLElement {
  return h(
    'div',
    { class: 'routes', attrs: { role: 'radiogroup', 'aria-label': t('directions.routes') } },
    ...routes.map((r, i) =>
      h(
        'button',
        {
          type: 'button',
          class: 'route',
          attrs: { role: 'radio', 'aria-checked': String(i === selected), tabindex: i === selected ? '0' : '-1' },
          on: { click: () => select(i), keydown: (e) => arrowKeys(e, i, routes.length, select) },
        },
        h(
          'span',
          { class: 'two' },
          h('b', {}, duration(r.duration)),
          h('small', {}, [distanceText(r.distance, app.lang), r.summary].filter(Boolean).join(' · ')),
        ),
        h('span', { class: 'badges' }, ...badges(r)),
      ),
    ),
  );
}

/** arrowKeys moves in a group of radio buttons as the ARIA practices want. */
function arrowKeys(e: KeyboardEvent, i: number, n: number, select: (i: number) => void): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[e.key];
  if (!step) return;
  e.preventDefault();
  select((i + step + n) % n);
}

function badges(r: Route): Node[] {
  const badge = (key: Key, name = '') => h('span', { class: `badge ${name}` }, t(key));
  const out: Node[] = [];
  if (r.recommended) out.push(badge('directions.best', 'good'));
  if (r.has_toll) out.push(badge('directions.toll', 'warn'));
  if (r.has_ferry) out.push(badge('directions.ferry'));
  if (r.has_highway) out.push(badge('directions.highway'));
  return out;
}

/** stepList is the instructions; pressing one shows its place. */
export function stepList(app: App, route: Route): HTMLElement {
  const steps = route.legs.flatMap((leg) => leg.steps);
  return h(
    'ol',
    { class: 'steps' },
    ...steps.map((s) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'step', on: { click: () => look(app, route, s) } },
          arrow(s),
          h('span', { class: 'two' }, h('span', {}, s.instruction), s.distance > 0 && h('small', {}, notes(app, s))),
        ),
      ),
    ),
  );
}

function notes(app: App, s: Step): string {
  return [distanceText(s.distance, app.lang), s.toll && t('directions.toll'), s.ferry && t('directions.ferry')].filter(Boolean).join(' · ');
}

function look(app: App, route: Route, s: Step): void {
  const at = route.geometry[s.geometry_start];
  if (at) app.map.flyTo(at[1], at[0], 17);
}
