import type { Result } from 'svc-map';
import type { App } from './app';
import { t, type Key } from './i18n';
import { resultList } from './lists';
import { slot } from './loading';
import { h } from './ui';

/** The chips under the search field: an icon of the sheet, a name, a category. */
const kinds: [icon: string, label: Key, category: string][] = [
  ['restaurant', 'chip.food', 'group:food'],
  ['shopping', 'chip.shopping', 'group:shopping'],
  ['pharmacy', 'chip.pharmacy', 'health.pharmacy'],
  ['bank', 'chip.bank', 'group:finance'],
  ['fuel', 'chip.fuel', 'auto.fuel'],
  ['hotel', 'chip.hotel', 'group:lodging'],
  ['culture', 'chip.culture', 'group:culture'],
  ['park', 'chip.leisure', 'group:leisure'],
  ['transport', 'chip.transport', 'group:transport'],
];

/** At most so many pins: more would hide the map. */
const most = 30;

/** chips is the row of kinds of places. */
export function chips(app: App): HTMLElement {
  return h(
    'div',
    { class: 'chips', attrs: { role: 'group', 'aria-label': t('nearby.chips') }, on: { wheel: sideways } },
    ...kinds.map(([icon, label, category]) =>
      h(
        'button',
        {
          type: 'button',
          class: 'chip',
          on: { click: () => openNearby(app, label, category) },
        },
        app.map.icons.icon(icon),
        t(label),
      ),
    ),
  );
}

/** sideways lets a mouse wheel, which has one direction, reach the last chip. */
function sideways(e: WheelEvent): void {
  const row = e.currentTarget as HTMLElement;
  if (row.scrollWidth <= row.clientWidth || Math.abs(e.deltaX) > Math.abs(e.deltaY)) return;
  row.scrollLeft += e.deltaY;
  e.preventDefault();
}

function openNearby(app: App, label: Key, category: string): void {
  app.open(() => {
    let shown: Result[] = [];
    const found = slot(
      app,
      (signal) => ask(app, category, signal),
      (results) => {
        shown = results;
        app.map.showResults(results);
        queueMicrotask(() => {
          // when the list is in the panel, which it makes larger
          if (shown !== results) return;
          app.settle();
          app.revealAll(results);
        });
        return results.length
          ? [
              h('p', { class: 'soft' }, results.length < most ? t('nearby.found', { n: results.length }) : t('nearby.most', { n: most })),
              resultList(app, results),
            ]
          : [h('p', { class: 'soft' }, t('nearby.none'))];
      },
    );
    return {
      title: t('nearby.title', { name: t(label) }),
      body: h(
        'div',
        {},
        h('button', { type: 'button', class: 'plain wide', on: { click: () => found.load() } }, t('nearby.again')),
        found.element,
      ),
      dispose: () => {
        found.dispose();
        if (shown.length) app.map.showResults([]);
      },
    };
  });
}

/** ask searches what can be seen, up to the server's 20 km. */
async function ask(app: App, category: string, signal: AbortSignal): Promise<Result[]> {
  const [west, south, east, north] = app.view();
  const lat = (south + north) / 2;
  const metres = 111_320;
  const across = ((east - west) * metres * Math.cos((lat * Math.PI) / 180)) / 2;
  const radius = Math.min(20_000, Math.max(250, Math.round(Math.max(across, ((north - south) * metres) / 2))));
  const results = await app.client.nearby(lat, (west + east) / 2, { radius, category, limit: most, signal });
  return results.filter((r) => r.lon >= west && r.lon <= east && r.lat >= south && r.lat <= north);
}
