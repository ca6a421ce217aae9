import { isDarkColor } from './dark';
import { Client, lonLat } from '../client/client';
import { type SvcError, isAbort } from '../client/error';
import type { IsochroneAnswer, Lang, Result, Route } from '../client/types';
import { distanceText, words } from '../i18n/words';
import { Card } from './card';
import { addControls, glLocale } from './controls';
import { Emitter, find } from './dom';
import { GlMap, startWorkers } from './engine';
import { explain } from './failure';
import { Notice } from './notice';
import { areaColors, contourValue, Overlay } from './overlay';
import { namedAt, resolve } from './pick';
import { closeUp, frame } from './zoom';
import { Pins } from './pins';
import { onMenu } from './press';
import { SearchBox, type SearchBoxOptions } from './searchbox';
import { Icons } from './sprite';
import type {
  Directions,
  DirectionsOptions,
  GlMap as PublicGlMap,
  Isochrone,
  IsochroneMapOptions,
  MapEvents,
  MapOptions,
  Padding,
  PlaceEvent,
} from './types';

/** Tashkent: what is seen before anybody says where to look. */
const home: [number, number] = [69.24, 41.31];

const none: Padding = { top: 0, bottom: 0, left: 0, right: 0 };

/** A map of the service with search, places, directions and reachable areas. */
export class Map extends Emitter<MapEvents> {
  readonly client: Client;
  /** Search boxes of this map. */
  readonly search: { attach(target: string | HTMLElement, options?: SearchBoxOptions): SearchBox };
  readonly icons: Icons;
  #gl: GlMap;
  #style: NonNullable<MapOptions['style']>;
  #options: MapOptions;
  #overlay: Overlay;
  #pins: Pins;
  #card: Card;
  #notice: Notice | undefined;
  #boxes = new Set<SearchBox>();
  #removeControls: () => void;
  #asking: AbortController | undefined;
  #routes: { routes: Route[]; selected: number } = { routes: [], selected: 0 };

  constructor(options: MapOptions) {
    super();
    startWorkers();
    const { baseUrl, key, timeout, lang = 'uz' } = options;
    this.client = new Client({ baseUrl, key, timeout, lang });
    this.#options = options;
    this.#style = options.style ?? 'light';
    this.#gl = new GlMap({
      container: container(options.container),
      style: this.#styleUrl() as never,
      center: options.center ?? home,
      zoom: options.zoom ?? 11,
      bearing: options.bearing,
      pitch: options.pitch,
      bounds: options.bounds,
      minZoom: options.minZoom,
      maxZoom: options.maxZoom ?? 20,
      cooperativeGestures: options.cooperativeGestures,
      attributionControl: false,
      locale: glLocale(lang),
      // Letters that the server's fonts lack come from the system.
      localIdeographFontFamily: 'sans-serif',
      transformRequest: (url) => ({ url: this.#withKey(url) }),
    });
    this.icons = new Icons(this.client);
    this.#overlay = new Overlay(this.#gl);
    this.#pins = new Pins(this.#gl, this.icons);
    this.#card = new Card(this.#gl);
    if (options.notices !== false) this.#notice = new Notice(this.#gl.getContainer(), () => this.reload());
    this.#removeControls = addControls(this.#gl, options.controls !== false, lang);
    this.#theme();
    this.search = { attach: (target, o) => this.#attach(target, o) };
    this.#listen();
  }

  /** MapLibre's own map, for everything that this class does not do. */
  get gl(): PublicGlMap {
    return this.#gl as unknown as PublicGlMap;
  }

  get lang(): Lang {
    return this.client.lang;
  }

  /** Changes the language of the map, of its search boxes and of later answers. */
  setLang(lang: Lang): void {
    this.client.lang = lang;
    Object.assign(this.#gl._locale, glLocale(lang));
    this.#removeControls();
    this.#removeControls = addControls(this.#gl, this.#options.controls !== false, lang);
    for (const box of this.#boxes) box.configure({});
    this.#card.hide();
    this.#reloadStyle();
  }

  /** Changes the style: a name of the server's, a URL or a style object. */
  setStyle(style: NonNullable<MapOptions['style']>): void {
    this.#style = style;
    this.#theme();
    this.#reloadStyle();
  }

  /** Uses another key from now on and loads the style with it. */
  setKey(key: string): void {
    this.client.key = key;
    this.#reloadStyle();
  }

  /** Loads the style again, for example when the network is back. */
  reload(): void {
    this.#reloadStyle();
  }

  /** Moves to a point; without motion where the person asked the system for less. */
  flyTo(lat: number, lon: number, zoom?: number): void {
    this.#gl.flyTo({ center: [lon, lat], zoom: zoom ?? Math.max(this.#gl.getZoom(), 15), speed: 2, maxDuration: 1800 });
  }

  /** Moves so that all of `[minlon, minlat, maxlon, maxlat]` is seen. */
  fit(
    bbox: readonly [number, number, number, number],
    padding?: number | Padding,
    options: { maxZoom?: number; duration?: number } = {},
  ): void {
    const { clientWidth: width, clientHeight: height } = this.#gl.getContainer();
    const { maxZoom = 17, duration = 800 } = options;
    const seen = frame(bbox, { width, height }, { ...none, ...this.#gl.getPadding() }, padding ?? this.#room(), maxZoom);
    if (duration > 0) this.#gl.flyTo({ ...seen, bearing: 0, duration });
    else this.#gl.jumpTo({ ...seen, bearing: 0 });
  }

  /** Moves to a result: a point close up, an area as a whole. */
  show(r: Result): void {
    const [w, s, e, n] = r.bbox;
    if (e - w > 0.002 || n - s > 0.002) this.fit(r.bbox);
    else this.flyTo(r.lat, r.lon, closeUp(r, this.#gl.getZoom()));
  }

  /** Puts one pin at a point; null takes it away. */
  setPin(at: { lat: number; lon: number } | null): void {
    this.#pins.setPin(at);
  }

  /** Shows results as pins that answer with a `place` event; an empty list takes them away. */
  showResults(results: readonly Result[]): void {
    this.#pins.setResults(results, (r) => this.#place(r, 'pin'));
  }

  /** Finds ways, draws them with their alternatives and answers with them. */
  async directions(options: DirectionsOptions): Promise<Directions> {
    const { alternatives = 2, fit = true } = options;
    const answer = await this.client.route({ ...options, alternatives, lang: instructions(options.lang ?? this.lang) });
    const points = [options.from, ...(options.via ?? []), options.to].map(lonLat);
    const w = words[this.lang];
    this.#pins.setEnds(
      points.map(([lon, lat], i) => ({
        lon,
        lat,
        name: i === 0 ? w.start : i === points.length - 1 ? w.end : String(i),
      })),
    );
    const state = { routes: answer.routes, selected: 0 };
    this.#routes = state;
    this.#overlay.setRoutes(state.routes, 0);
    const box = together(state.routes, points);
    if (fit) this.fit(box);
    return {
      fit: () => this.fit(box),
      routes: state.routes,
      warnings: answer.warnings ?? [],
      get selected() {
        return state.selected;
      },
      select: (index) => this.#routes === state && this.#select(index),
      remove: () => {
        if (this.#routes === state) this.clearDirections();
      },
    };
  }

  /** Takes routes off the map. */
  clearDirections(): void {
    this.#routes = { routes: [], selected: 0 };
    this.#overlay.setRoutes([], 0);
    this.#pins.setEnds([]);
  }

  /** Finds what can be reached, draws it and answers with it. */
  async isochrone(options: IsochroneMapOptions): Promise<Isochrone> {
    const answer = await this.client.isochrone({ ...options, polygons: true });
    const values = [...new Set(answer.features.map((f) => contourValue(f.properties)))].sort((a, b) => a - b);
    const color = (value: number) => colorOf(values, value);
    const metric = answer.features[0]?.properties.metric ?? 'time';
    const label = (value: number) => (metric === 'time' ? `${value} ${words[this.lang].minutes}` : distanceText(value, this.lang));
    this.#overlay.setAreas(answer, color, label);
    const box = extent(answer);
    if (options.fit !== false) this.fit(box);
    return {
      areas: answer,
      legend: values.map((value) => ({
        value,
        metric,
        color: color(value),
        label: label(value),
      })),
      fit: () => this.fit(box),
      remove: () => this.clearIsochrone(),
    };
  }

  /** Takes reachable areas off the map. */
  clearIsochrone(): void {
    this.#overlay.setAreas(
      null,
      () => '',
      () => '',
    );
  }

  /** Ends the map and everything that it added to the page. */
  remove(): void {
    this.#asking?.abort();
    for (const box of this.#boxes) box.remove();
    this.#boxes.clear();
    this.#pins.clear();
    this.#card.hide();
    this.clearListeners();
    this.#gl.remove();
  }

  #attach(target: string | HTMLElement, options: SearchBoxOptions = {}): SearchBox {
    const near = () => {
      const c = this.#gl.getCenter();
      return this.#gl.getZoom() < 5 ? undefined : ([c.lat, c.lng] as const);
    };
    const box = new SearchBox(this.client, target, { near, ...options }, this.icons);
    this.#boxes.add(box);
    box.on('pick', ({ result }) => {
      this.show(result);
      this.#place(result, 'search');
    });
    return box;
  }

  #listen(): void {
    this.#gl.on('load', () => this.emit('load', {}));
    this.#gl.on('error', (e) => void explain(e).then((told) => this.#failed(told)));
    this.#gl.on('style.load', () => {
      this.#notice?.hide();
      this.#theme();
    });
    this.#gl.on('moveend', () => {
      const c = this.#gl.getCenter();
      this.emit('move', { center: [c.lng, c.lat], zoom: this.#gl.getZoom() });
    });
    this.#gl.on('click', (e) => void this.#click(e.point, e.lngLat));
    this.#gl.on('mousemove', (e) => this.#hover(e.point, e.lngLat));
    onMenu(this.#gl, (at) => this.emit('contextmenu', at));
  }

  async #click(point: { x: number; y: number }, at: { lat: number; lng: number }): Promise<void> {
    const route = this.#routeAt(point);
    if (route !== null) {
      this.#select(route);
      return;
    }
    this.#asking?.abort();
    const mine = (this.#asking = new AbortController());
    const named = this.#ready() ? namedAt(this.#gl, point, at, this.lang) : null;
    try {
      const found = named && (await resolve(this.client, named, mine.signal));
      if (found) this.#place(found, 'map');
      else this.emit('click', { lat: named?.lat ?? at.lat, lon: named?.lon ?? at.lng });
    } catch (error) {
      if (!isAbort(error)) this.emit('error', { error: error as SvcError, what: 'other' });
    }
  }

  /** The hand says what can be pressed; asked once a frame at most. */
  #hovering = 0;
  #hover(point: { x: number; y: number }, at: { lat: number; lng: number }): void {
    if (this.#hovering || this.#gl.isMoving()) return;
    this.#hovering = requestAnimationFrame(() => {
      this.#hovering = 0;
      if (!this.#ready()) return;
      const pressable = namedAt(this.#gl, point, at, this.lang) || this.#routeAt(point) !== null;
      this.#gl.getCanvas().style.cursor = pressable ? 'pointer' : '';
    });
  }

  /** The buttons on the map follow the style; a page may set the attribute for the rest. */
  #theme(): void {
    const dark = typeof this.#style === 'string' && /(^|-)dark$/.test(this.#style) ? true : this.#darkGround();
    this.#gl.getContainer().dataset['theme'] = dark ? 'dark' : 'light';
  }

  /** Whether the style that is drawn has a dark ground, whatever it is called and whoever made it. */
  #darkGround(): boolean {
    const ground = this.#ready() ? this.#gl.getStyle().layers.find((l) => l.type === 'background') : undefined;
    const color = ground?.paint?.['background-color' as keyof typeof ground.paint] as unknown;
    return typeof color === 'string' && isDarkColor(color);
  }

  /** A map without a listener still says what is wrong: on itself, and in the console. */
  #failed(told: MapEvents['error']): void {
    this.#notice?.show(told, this.lang);
    if (!this.hasListener('error')) console.error(`SvcMap: ${told.what}: ${told.error.message}`);
    this.emit('error', told);
  }

  #ready(): boolean {
    return Boolean(this.#gl.style?._loaded);
  }

  #routeAt(point: { x: number; y: number }): number | null {
    const layers = this.#ready() ? Overlay.routeLayers.filter((l) => this.#gl.getLayer(l)) : [];
    if (layers.length === 0) return null;
    const { x, y } = point;
    const [hit] = this.#gl.queryRenderedFeatures(
      [
        [x - 5, y - 5],
        [x + 5, y + 5],
      ],
      { layers },
    );
    const index = hit?.properties['index'];
    return typeof index === 'number' && index !== this.#routes.selected ? index : null;
  }

  #select(index: number): void {
    if (!this.#routes.routes[index]) return;
    this.#routes.selected = index;
    this.#overlay.setRoutes(this.#routes.routes, index);
    this.emit('route', { routes: this.#routes.routes, selected: index });
  }

  #place(place: Result, source: PlaceEvent['source']): void {
    let prevented = false;
    this.emit('place', {
      place,
      source,
      preventDefault: () => {
        prevented = true;
      },
      get defaultPrevented() {
        return prevented;
      },
    });
    if (this.#options.card !== false && !prevented) this.#card.show(place);
  }

  #reloadStyle(): void {
    this.#gl.setStyle(this.#styleUrl() as never, { diff: false });
  }

  #styleUrl(): string | object {
    const style = this.#style;
    if (typeof style !== 'string' || /[/.:]/.test(style)) return style;
    const { poi, hillshade } = this.#options;
    return this.client.url(`/styles/${style}.json`, {
      lang: this.lang,
      poi: poi === false ? 0 : undefined,
      hillshade: hillshade ? 1 : undefined,
    });
  }

  /** Addresses of our server carry the key that counts now, whatever the style says. */
  #withKey(url: string): string {
    const { baseUrl, key } = this.client;
    if (!key || !url.startsWith(`${baseUrl}/`) || /[?&]key=/.test(url)) return url;
    return `${url}${url.includes('?') ? '&' : '?'}key=${encodeURIComponent(key)}`;
  }

  /** Space at the edges: a tenth of the smaller side. */
  #room(): number {
    const { clientWidth, clientHeight } = this.#gl.getContainer();
    return Math.max(24, Math.min(clientWidth, clientHeight) / 10);
  }
}

/** container accepts an id too, as MapLibre does. */
function container(target: string | HTMLElement): HTMLElement {
  return typeof target === 'string' ? (document.getElementById(target) ?? find(target)) : target;
}

/** instructions: the engine's text has no Cyrillic Uzbek, and Latin is closer than English. */
function instructions(lang: Lang): Lang {
  return lang === 'uz-Cyrl' ? 'uz' : lang;
}

/** together is all of the routes and their ends, which may lie away from any road. */
function together(routes: readonly Route[], ends: readonly [number, number][]): [number, number, number, number] {
  return grow([
    ...routes.flatMap((r) => [
      [r.bbox[0], r.bbox[1]],
      [r.bbox[2], r.bbox[3]],
    ]),
    ...ends,
  ]);
}

function extent(answer: IsochroneAnswer): [number, number, number, number] {
  const points: number[][] = [];
  const walk = (c: unknown): void => {
    if (!Array.isArray(c)) return;
    if (typeof c[0] === 'number') points.push(c as number[]);
    else c.forEach(walk);
  };
  for (const f of answer.features) walk(f.geometry.coordinates);
  return grow(points);
}

function grow(points: number[][]): [number, number, number, number] {
  const box: [number, number, number, number] = [180, 90, -180, -90];
  for (const [x = 0, y = 0] of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

function colorOf(values: readonly number[], value: number): string {
  const steps = areaColors.length - 1;
  const i = values.indexOf(value);
  const at = values.length > 1 ? Math.round((i * steps) / (values.length - 1)) : 0;
  return areaColors[Math.max(0, Math.min(steps, at))]!;
}
