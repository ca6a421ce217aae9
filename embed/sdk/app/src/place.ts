import type { Photo, Place, Result } from 'svc-map';
import type { App, View } from './app';
import { directionsTo } from './directions';
import { facts } from './facts';
import { statusLine, week } from './hours';
import { t } from './i18n';
import { resultList } from './lists';
import { slot } from './loading';
import { openReach } from './reach';
import { h, outside, textButton, webAddress } from './ui';

/** What is known before the details have arrived. */
type Known = Pick<Result, 'name' | 'lat' | 'lon'> & Partial<Result>;

/** openPlace shows everything about a result; fly moves the map there too. */
export function openPlace(app: App, r: Result, fly: boolean): void {
  app.open(() => placeView(app, r, (signal) => app.client.place(r.id, { signal })));
  // After the panel is there, or the flight would end where the panel is.
  if (fly) app.map.show(r);
  else app.reveal(r);
}

/** openObject shows a place by its object in the map database, as shared links do. */
export function openObject(app: App, type: string, id: number, fly: boolean): void {
  let moved = !fly;
  app.open(() =>
    placeView(
      app,
      null,
      async (signal) => {
        const place = await app.client.placeByMapsrc(type, id, { signal });
        if (!moved) app.map.show(place);
        moved = true;
        return place;
      },
      { place: { type, id } },
    ),
  );
}

function placeView(app: App, known: Known | null, ask: (signal: AbortSignal) => Promise<Place>, address: View['address'] = {}): View {
  const head = h('div', { class: 'place-head' });
  if (known) {
    head.append(...heading(app, known));
    app.map.setPin(known);
  }
  const stop = (p: { lat: number; lon: number; name: string }) => ({ lat: p.lat, lon: p.lon, name: p.name });
  const rest = slot(app, ask, (place) => {
    view.here = stop(place);
    head.replaceChildren(...heading(app, place));
    app.map.setPin(place);
    app.setTitle(place.name);
    const { type, id } = place.mapsrc;
    app.setAddress(id ? { place: { type, id } } : {});
    return content(app, place);
  });
  const view: View = {
    title: known?.name ?? '',
    ownTitle: true,
    here: known ? stop(known) : undefined,
    address,
    body: h('article', { class: 'place' }, head, rest.element),
    dispose: () => {
      rest.dispose();
      app.map.setPin(null);
    },
  };
  return view;
}

function heading(app: App, p: Known): Node[] {
  const here = { lat: p.lat, lon: p.lon, name: p.name };
  const words = [p.category_label, p.kind === 'address' ? '' : p.label?.split(', ').slice(1).join(', ')];
  return [
    h('h2', {}, p.name),
    h('p', { class: 'soft' }, words.filter(Boolean).join(' · ')),
    h(
      'div',
      { class: 'actions' },
      ...(app.canRoute
        ? [
            textButton('directions', t('place.directions'), () => directionsTo(app, here), 'main'),
            textButton('reach', t('place.reach'), () => openReach(app, here)),
          ]
        : []),
      textButton('share', t('place.share'), () => app.share()),
    ),
  ];
}

function content(app: App, p: Place): Node[] {
  const d = p.details;
  const out: Node[] = [];
  if (d.open_status?.known) out.push(statusLine(d.open_status));
  if (p.photo_hint) out.push(photo(app, p));
  out.push(facts(p));
  if (d.hours) out.push(h('h3', {}, t('place.hours')), week(d.hours));
  if (p.nearby?.length) out.push(h('h3', {}, t('place.nearby')), resultList(app, p.nearby));
  return out;
}

/** photo fills itself in; a place without its picture is still a place. */
function photo(app: App, p: Place): HTMLElement {
  const figure = h('figure', { class: 'photo', hidden: true });
  const entity = new URLSearchParams(p.photo_hint?.split('?')[1]).get('entity') ?? '';
  app.client.photo(entity).then(
    (answer) => {
      if (answer) fill(figure, app.client.photoUrl(answer), answer, p.name);
    },
    () => figure.remove(),
  );
  return figure;
}

function fill(figure: HTMLElement, src: string, photo: Photo, name: string): void {
  const page = webAddress(photo.source_url);
  const image = h('img', {
    src,
    alt: t('place.photoOf', { name }),
    loading: 'lazy',
    decoding: 'async',
    on: { error: () => figure.remove() },
  });
  figure.append(image, h('figcaption', {}, page ? outside(page, photo.attribution) : photo.attribution));
  figure.hidden = false;
}
