import { distanceText, type ReverseAnswer } from 'svc-map';
import type { App } from './app';
import { directionsFrom, directionsTo } from './directions';
import { t } from './i18n';
import { resultList } from './lists';
import { slot } from './loading';
import { openReach } from './reach';
import { h, textButton } from './ui';

interface Point {
  lat: number;
  lon: number;
}

/** openPoint says what is at a point that has no name. */
export function openPoint(app: App, at: Point): void {
  app.open(() => {
    app.map.setPin(at);
    const title = h('h2', {}, t('point.title'));
    const here = { ...at, name: coordinates(at) };
    const rest = slot(
      app,
      (signal) => app.client.reverse(at.lat, at.lon, { signal }),
      (answer) => {
        title.textContent = answer.short || answer.label;
        here.name = answer.short || answer.label;
        app.setTitle(here.name);
        return content(app, answer);
      },
    );
    const around = slot(
      app,
      (signal) => app.client.nearby(at.lat, at.lon, { radius: 350, limit: 6, signal }),
      (results) => (results.length ? [h('h3', {}, t('place.nearby')), resultList(app, results)] : []),
    );
    return {
      title: t('point.title'),
      ownTitle: true,
      address: { at },
      here,
      body: h(
        'article',
        { class: 'place' },
        title,
        h('p', { class: 'soft' }, coordinates(at)),
        h(
          'div',
          { class: 'actions four' },
          ...(app.canRoute
            ? [
                textButton('directions', t('place.to'), () => directionsTo(app, here), 'main'),
                textButton('target', t('place.from'), () => directionsFrom(app, here)),
                textButton('reach', t('place.reach'), () => openReach(app, here)),
              ]
            : []),
          textButton('share', t('place.share'), () => app.share()),
        ),
        rest.element,
        around.element,
      ),
      dispose: () => {
        rest.dispose();
        around.dispose();
        app.map.setPin(null);
      },
    };
  });
}

export function coordinates(p: Point): string {
  return `${p.lat.toFixed(5)}, ${p.lon.toFixed(5)}`;
}

function content(app: App, a: ReverseAnswer): Node[] {
  const rows: Node[] = [];
  const row = (label: string, ...value: (Node | string)[]) => rows.push(h('div', {}, h('dt', {}, label), h('dd', {}, ...value)));
  if (a.label) row(t('place.address'), a.label);
  if (a.street) row(t('point.street'), `${a.street.name} · ${distanceText(a.street.distance, app.lang)}`);
  if (a.admins?.length)
    row(
      t('point.within'),
      [...a.admins]
        .reverse()
        .map((x) => x.name)
        .join(', '),
    );
  const out: Node[] = [h('dl', { class: 'facts' }, ...rows)];
  if (a.place && a.place.kind === 'poi') out.push(h('h3', {}, t('point.place')), resultList(app, [a.place]));
  return out;
}
