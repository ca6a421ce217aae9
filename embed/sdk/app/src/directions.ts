import { SearchBox, type Directions, type Mode } from 'svc-map';
import type { App, View } from './app';
import { failure, isAbort, isSvc } from './failure';
import type { Address } from './hash';
import { t, type Key } from './i18n';
import { skeleton } from './loading';
import { coordinates } from './point';
import { routeList, stepList } from './routes';
import { noRouting } from './setup';
import { drawing, h, iconButton, type Drawing } from './ui';

/** An end of a way. */
export interface Stop {
  lat: number;
  lon: number;
  name: string;
}

/** What somebody has asked for; it survives closing the panel and changing the language. */
export interface Trip {
  from?: Stop;
  to?: Stop;
  mode: Mode;
  avoidTolls: boolean;
  avoidHighways: boolean;
}

export const modes: Mode[] = ['car', 'truck', 'motorcycle', 'bike', 'foot'];

const trip: Trip = { mode: 'car', avoidTolls: false, avoidHighways: false };

export function directionsTo(app: App, to: Stop): void {
  trip.to = { ...to };
  openDirections(app);
}

export function directionsFrom(app: App, from: Stop): void {
  trip.from = { ...from };
  openDirections(app);
}

/** restoreTrip takes a way from a shared link. */
export function restoreTrip(app: App, a: Address): void {
  const stop = (p: { lat: number; lon: number } | undefined) => p && { ...p, name: coordinates(p) };
  trip.from = stop(a.from);
  trip.to = stop(a.to);
  trip.mode = modes.find((m) => m === a.mode) ?? 'car';
  openDirections(app);
}

export function openDirections(app: App): void {
  app.open(() => new Panel(app).view());
}

/** Panel is the view of directions: two fields, the modes, and the ways found. */
class Panel {
  #app: App;
  #answer = h('div', { class: 'answer' });
  #body = h('div', { class: 'directions' });
  #boxes: Partial<Record<'from' | 'to', SearchBox>> = {};
  #asking: AbortController | undefined;
  #drawn: Directions | undefined;
  #stopListening: () => void;

  constructor(app: App) {
    this.#app = app;
    this.#stopListening = app.map.on('route', ({ selected }) => this.#show(selected));
  }

  view(): View {
    const body = this.#body;
    body.append(
      h(
        'div',
        { class: 'ends' },
        h('div', { class: 'fields' }, this.#field('from'), this.#field('to')),
        iconButton('swap', t('directions.swap'), () => this.#swap()),
      ),
      this.#modes(),
      this.#avoid(),
      this.#answer,
    );
    for (const end of ['from', 'to'] as const) void this.#nameStop(end);
    this.#ask();
    return {
      title: t('directions.title'),
      body,
      address: this.#address(),
      onMapClick: (at) => this.#fill(at),
      dispose: () => {
        this.#asking?.abort();
        this.#stopListening();
        for (const box of Object.values(this.#boxes)) box.remove();
        this.#app.map.clearDirections();
      },
    };
  }

  #address(): Omit<Address, 'map'> {
    const { from, to, mode } = trip;
    return { from, to, mode: from || to ? mode : undefined };
  }

  #field(end: 'from' | 'to'): HTMLElement {
    const holder = h(
      'div',
      { class: 'field' },
      h('span', { class: `letter ${end}`, attrs: { 'aria-hidden': 'true' } }, end === 'from' ? 'A' : 'B'),
    );
    const { map, client } = this.#app;
    const box = new SearchBox(
      client,
      holder,
      {
        label: t(`directions.${end}`),
        placeholder: t(`directions.${end}Placeholder`),
        near: () => {
          const c = map.gl.getCenter();
          return [c.lat, c.lng];
        },
      },
      map.icons,
    );
    box.value = trip[end]?.name ?? '';
    box.on('pick', ({ result }) => this.#set(end, { lat: result.lat, lon: result.lon, name: result.name }));
    box.on('clear', () => this.#set(end, undefined));
    this.#boxes[end] = box;
    if (end === 'from') holder.append(iconButton('target', t('directions.here'), () => this.#locate(), 'inside'));
    return holder;
  }

  #modes(): HTMLElement {
    return h(
      'div',
      { class: 'modes', attrs: { role: 'radiogroup', 'aria-label': t('directions.mode') } },
      ...modes.map((mode) =>
        modeButton('mode', mode, trip.mode === mode, () => {
          trip.mode = mode;
          this.#ask();
        }),
      ),
    );
  }

  #avoid(): HTMLElement {
    const box = (label: Key, key: 'avoidTolls' | 'avoidHighways') =>
      h(
        'label',
        { class: 'check' },
        h('input', {
          type: 'checkbox',
          checked: trip[key],
          on: {
            change: (e) => {
              trip[key] = (e.target as HTMLInputElement).checked;
              this.#ask();
            },
          },
        }),
        t(label),
      );
    return h('div', { class: 'avoid' }, box('directions.avoidTolls', 'avoidTolls'), box('directions.avoidHighways', 'avoidHighways'));
  }

  #swap(): void {
    [trip.from, trip.to] = [trip.to, trip.from];
    for (const end of ['from', 'to'] as const) this.#boxes[end]!.value = trip[end]?.name ?? '';
    this.#ask();
  }

  #set(end: 'from' | 'to', stop: Stop | undefined): void {
    trip[end] = stop;
    this.#boxes[end]!.value = stop?.name ?? '';
    this.#ask();
    if (stop) void this.#nameStop(end);
  }

  /** A press on the map fills the field that is empty. */
  #fill(at: { lat: number; lon: number }): boolean {
    const end = !trip.from ? 'from' : !trip.to ? 'to' : null;
    if (!end) return false;
    this.#set(end, { ...at, name: coordinates(at) });
    return true;
  }

  /** Points that came without a name get the address that the server knows. */
  async #nameStop(end: 'from' | 'to'): Promise<void> {
    const stop = trip[end];
    if (!stop || stop.name !== coordinates(stop)) return;
    try {
      const answer = await this.#app.client.reverse(stop.lat, stop.lon);
      stop.name = answer.short || answer.label || stop.name;
      if (trip[end] === stop) this.#boxes[end]!.value = stop.name;
    } catch {
      // the coordinates stay
    }
  }

  #locate(): void {
    navigator.geolocation?.getCurrentPosition(
      (p) => {
        const at = { lat: p.coords.latitude, lon: p.coords.longitude };
        this.#set('from', { ...at, name: t('directions.here') });
      },
      () => this.#app.toast(t('directions.noLocation')),
      { timeout: 10_000, maximumAge: 60_000 },
    );
  }

  #ask(): void {
    this.#asking?.abort();
    this.#app.map.clearDirections();
    this.#drawn = undefined;
    this.#app.setAddress(this.#address());
    const { from, to } = trip;
    const mine = (this.#asking = new AbortController());
    void this.#app.engineMissing().then((missing) => {
      if (!missing || mine.signal.aborted) return;
      mine.abort();
      this.#body.replaceChildren(noRouting()); // a form that nobody can answer is not shown
    });
    if (!from || !to) {
      this.#answer.replaceChildren(h('p', { class: 'soft' }, t('directions.hint')));
      return;
    }
    this.#answer.replaceChildren(skeleton());
    const { mode, avoidTolls, avoidHighways } = trip;
    this.#app.map.directions({ from, to, mode, avoidTolls, avoidHighways, alternatives: 2, fit: false, signal: mine.signal }).then(
      (drawn) => {
        if (mine.signal.aborted) return;
        this.#drawn = drawn;
        this.#show(0);
        this.#app.settle(); // the answer has made the panel larger
        drawn.fit();
      },
      (error: unknown) => {
        if (mine.signal.aborted || isAbort(error)) return;
        if (isSvc(error) && error.status === 401) this.#app.askKey();
        const none = isSvc(error) && error.code === 'unavailable';
        if (none) this.#body.replaceChildren(noRouting());
        else this.#answer.replaceChildren(failure(error, () => this.#ask()));
      },
    );
  }

  #show(selected: number): void {
    const drawn = this.#drawn;
    const route = drawn?.routes[selected];
    if (!drawn || !route) return;
    const focused = this.#answer.contains(document.activeElement);
    this.#answer.replaceChildren(
      h('p', { class: 'quiet', attrs: { role: 'status' } }, t('directions.found', { n: drawn.routes.length })),
      routeList(this.#app, drawn.routes, selected, (i) => drawn.select(i)),
      ...drawn.warnings.map((w) => h('p', { class: 'warning' }, drawing('warning', 18), w)),
      h('h3', {}, t('directions.steps')),
      stepList(this.#app, route),
    );
    if (focused) this.#answer.querySelector<HTMLElement>('[aria-checked=true]')?.focus();
  }
}

/** modeButton is one way of travelling in a group of radio buttons. */
export function modeButton(group: string, mode: Mode, checked: boolean, choose: () => void): HTMLElement {
  return h(
    'label',
    { class: 'mode', title: t(`mode.${mode}` as Key) },
    h('input', { type: 'radio', name: group, value: mode, checked, on: { change: choose } }),
    drawing(mode as Drawing, 22),
    h('span', { class: 'quiet' }, t(`mode.${mode}` as Key)),
  );
}
