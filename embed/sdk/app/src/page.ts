import { Map, type Bounds, type MapEvents, type Padding, type SearchBox, type Status } from 'svc-map';
import type { App, View } from './app';
import { openApi } from './api';
import { directionsTo, openDirections, restoreTrip } from './directions';
import { reasonText } from './failure';
import { format, parse, type Address } from './hash';
import { setLocale, t } from './i18n';
import { KeyDialog } from './keydialog';
import { chips } from './nearby';
import { Notices } from './notices';
import { Panel } from './panel';
import { openObject, openPlace } from './place';
import { openPoint } from './point';
import { isDark, type Look, onSystemTheme, prefs, styleOf, type Theme, type UiLang } from './prefs';
import { openSettings } from './settings';
import { lackBox, lacks, noEngine, noStyle } from './setup';
import { copy, debounce, h, iconButton } from './ui';

/** From here on the panel stands beside the map and not below it, pixels. */
const wide = 720;

/** Pixels that a point keeps from what covers the map: a pin, or half a finger. */
const edge = 44;

/** Sections of the API panel that an address can name. */
const sections = ['api', 'api-keys', 'bundle', 'routing'];

/** Page holds the parts of the page together. */
export class Page implements App {
  readonly map: Map;
  readonly search: SearchBox;
  status: Status | null = null;
  #engine: Promise<boolean> | undefined;
  #way: HTMLElement | undefined;
  lang: UiLang = prefs.lang;
  theme: Theme = prefs.theme;
  look: Look = prefs.look;
  #canvas = h('div', { class: 'map', id: 'map' });
  #heading = h('h1', { class: 'quiet' });
  #field = h('div', { class: 'searchbar', attrs: { role: 'search' } });
  #chips = h('div', {});
  #box = h('div', { class: 'box' });
  #panel = new Panel(
    () => this.close(),
    () => this.#room(),
  );
  #notices = new Notices();
  #keys: KeyDialog;
  #address: Omit<Address, 'map'> = {};
  #start = parse(location.hash);
  #written = '';
  #padding: Padding = { top: 0, bottom: 0, left: 0, right: 0 };

  constructor() {
    this.#words();
    const column = h('div', { class: 'column' }, this.#field, this.#panel.element);
    document.body.append(h('main', {}, this.#heading, this.#canvas, column, this.#chips, this.#notices.element));
    this.#dress();
    const { map } = this.#start;
    this.map = new Map({
      container: this.#canvas,
      key: prefs.key,
      lang: this.lang,
      style: styleOf(this.look, isDark(this.theme)),
      card: false,
      notices: false, // the page has its own
      center: map && [map.lon, map.lat],
      zoom: map?.zoom,
    });
    this.#keys = new KeyDialog(this.client, (key) => this.#saveKey(key));
    this.search = this.map.search.attach(this.#box, { limit: 8, placeholder: t('search.placeholder') });
    this.#buttons();
    this.#listen();
    void this.#getStatus();
  }

  get client() {
    return this.map.client;
  }

  open(make: () => View): void {
    this.map.gl.stop(); // whoever opens something says where to look next
    this.#panel.show(() => {
      const view = make();
      this.#address = view.address ?? {};
      return view;
    });
    this.#write();
  }

  close(): void {
    this.#panel.close();
    this.search.value = '';
    document.title = t('app.title');
    this.setAddress({});
  }

  setAddress(address: Omit<Address, 'map'>): void {
    this.#address = address;
    this.#write();
  }

  setTitle(title: string): void {
    this.#panel.setTitle(title);
    document.title = title ? `${title} · ${t('app.title')}` : t('app.title');
  }

  toast(text: string): void {
    this.#notices.toast(text);
  }

  askKey(wrong = ''): void {
    this.#keys.show(wrong);
  }

  setLang(lang: UiLang): void {
    this.lang = prefs.lang = lang;
    this.#words();
    this.map.setLang(lang);
    this.search.configure({ placeholder: t('search.placeholder') });
    this.#buttons();
    this.#panel.again();
    this.#lacks();
  }

  setTheme(theme: Theme): void {
    this.theme = prefs.theme = theme;
    this.#dress();
    this.map.setStyle(styleOf(this.look, isDark(theme)));
  }

  setLook(look: Look): void {
    this.look = prefs.look = look;
    this.map.setStyle(styleOf(look, isDark(this.theme)));
  }

  get canRoute(): boolean {
    return this.status?.routing !== false;
  }

  share(): void {
    const url = location.href;
    if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
      navigator.share({ title: document.title, url }).catch(() => undefined); // closing the sheet is a choice
      return;
    }
    void copy(url).then((done) => this.toast(done ? t('app.linkCopied') : t('app.shareFailed')));
  }

  #words(): void {
    setLocale(this.lang);
    document.documentElement.lang = this.lang;
    document.title = t('app.title');
    this.#heading.textContent = t('app.title');
  }

  #dress(): void {
    document.documentElement.dataset['theme'] = isDark(this.theme) ? 'dark' : 'light';
  }

  #buttons(): void {
    this.#way = iconButton('directions', t('directions.title'), () => this.#directions());
    this.#field.replaceChildren(
      iconButton('settings', t('app.settings'), () => openSettings(this)),
      this.#box,
      ...(this.canRoute ? [this.#way] : []),
    );
    this.#chips.replaceChildren(chips(this));
  }

  /** The button in the search field: to the place that is open, when one is. */
  #directions(): void {
    const here = this.#panel.view?.here;
    if (here) directionsTo(this, here);
    else openDirections(this);
  }

  #listen(): void {
    const { map } = this;
    map.on('place', ({ place, source }) => openPlace(this, place, source !== 'map'));
    map.on('click', (at) => {
      const view = this.#panel.view;
      if (view?.onMapClick?.(at)) return;
      if (view && !view.onMapClick && view.ownTitle) this.close();
    });
    map.on('contextmenu', (at) => {
      openPoint(this, at);
      this.reveal(at);
    });
    map.on(
      'move',
      debounce(() => this.#write(), 250),
    );
    map.on('error', (e) => this.#loadFailed(e));
    map.on('load', () => this.#notices.loaded());
    onSystemTheme(() => this.theme === 'system' && this.setTheme('system'));
    addEventListener('hashchange', () => this.#follow());
    addEventListener('online', () => {
      map.reload();
      void this.#getStatus();
    });
    addEventListener('resize', () => this.#room());
    new ResizeObserver(() => this.#room()).observe(this.#panel.element); // it grows when answers come
    document.addEventListener('keydown', (e) => {
      const typing = e.target instanceof Element && e.target.closest('input, textarea, select, [contenteditable]');
      if (e.key === '/' && !typing && !this.#keys.open) {
        e.preventDefault();
        this.search.focus();
      }
    });
  }

  async #getStatus(): Promise<void> {
    try {
      this.status = await this.client.status();
    } catch (error) {
      this.#notices.problem(h('p', {}, reasonText(error)), () => {
        this.map.reload();
        void this.#getStatus();
      });
      return;
    }
    this.#lacks();
    if (!this.canRoute) this.#way?.remove(); // without a routing engine nothing asks for ways; the field keeps its focus
    const { bounds } = this.status;
    if (!this.#start.map && bounds && !this.#start.place && !this.#start.at) {
      this.map.fit(bounds, 40, { maxZoom: 14, duration: 0 });
    }
    this.#restore(this.#start);
    this.#start = {};
  }

  async engineMissing(): Promise<boolean> {
    if (this.status?.routing !== false) return false;
    return (this.#engine ??= noEngine(this.client));
  }

  #lacks(): void {
    const lack = this.status && lacks(this.status);
    if (lack) this.#notices.problem(lackBox(lack), undefined, true);
  }

  /** restore opens what an address names. */
  #restore(a: Address): void {
    if (a.section && sections.includes(a.section)) openApi(this, a.section);
    else if (a.place) openObject(this, a.place.type, a.place.id, !a.map);
    else if (a.from || a.to) restoreTrip(this, a);
    else if (a.at) {
      openPoint(this, a.at);
      if (!a.map) this.map.flyTo(a.at.lat, a.at.lon, 16);
    }
    // The address names the middle of what the panel leaves free.
    if (a.map) this.map.gl.jumpTo({ center: [a.map.lon, a.map.lat], zoom: a.map.zoom });
  }

  #follow(): void {
    if (location.hash === this.#written) return;
    this.#restore(parse(location.hash));
  }

  #write(): void {
    if (!this.map) return;
    const { section } = this.#address;
    const { lat, lng: lon } = this.map.gl.getCenter();
    this.#written = format(section ? { section } : { map: { zoom: this.map.gl.getZoom(), lat, lon }, ...this.#address });
    history.replaceState(null, '', this.#written || location.pathname);
  }

  /**
   * room tells the map what the panel covers, so that it moves to the middle of
   * the rest. What is on the screen stays where it is: nothing jumps away from
   * under a finger because a panel opens.
   */
  #room(): void {
    const open = Boolean(this.#panel.view);
    document.body.classList.toggle('panel-open', open);
    if (!this.map) return;
    const { gl } = this.map;
    if (gl.isMoving()) {
      gl.once('moveend', () => this.#room()); // a change now would end the flight half-way
      return;
    }
    const want = this.#covered(open);
    const have = this.#padding;
    if (want.left === have.left && want.bottom === have.bottom && want.top === have.top) return;
    this.#padding = want;
    const { clientWidth: w, clientHeight: h } = gl.getContainer();
    const middle = gl.unproject([(want.left + w) / 2, (want.top + h - want.bottom) / 2]);
    gl.jumpTo({ center: middle, padding: want });
  }

  #covered(open: boolean): Padding {
    const box = this.#panel.element.getBoundingClientRect();
    const beside = innerWidth >= wide;
    return {
      left: open && beside ? box.right : 0,
      bottom: open && !beside ? Math.min(box.height, innerHeight * 0.6) : 0,
      top: 64, // the search field and the chips
      right: 0,
    };
  }

  settle(): void {
    this.map.gl.stop();
    this.#room();
  }

  reveal(at: { lat: number; lon: number }): void {
    if (!this.#visible(at)) this.map.gl.easeTo({ center: [at.lon, at.lat], duration: 500 });
  }

  revealAll(points: readonly { lat: number; lon: number }[]): void {
    if (points.every((p) => this.#visible(p))) return;
    const lons = points.map((p) => p.lon);
    const lats = points.map((p) => p.lat);
    this.map.fit([Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)], edge + 1, {
      maxZoom: this.map.gl.getZoom(),
      duration: 500,
    });
  }

  view(): Bounds {
    const { gl } = this.map;
    const { clientWidth: w, clientHeight: h } = gl.getContainer();
    const { left, top, bottom } = this.#padding;
    const corners = [
      [left, top],
      [w, top],
      [left, h - bottom],
      [w, h - bottom],
    ] as const;
    const at = corners.map(([x, y]) => gl.unproject([x, y]));
    const lons = at.map((p) => p.lng);
    const lats = at.map((p) => p.lat);
    return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  }

  /** visible tells whether a point is on the screen and nothing of the page lies on it. */
  #visible(at: { lat: number; lon: number }): boolean {
    const { gl } = this.map;
    const { x, y } = gl.project([at.lon, at.lat]);
    const { clientWidth: w, clientHeight: h } = gl.getContainer();
    const { left, top, bottom } = this.#padding;
    return x > left + edge && x < w - edge && y > top + edge && y < h - bottom - edge;
  }

  #saveKey(key: string): void {
    prefs.key = key;
    this.#notices.solved();
    this.map.setKey(key);
    this.#buttons(); // the icons of the chips come with the key
    this.#panel.again();
  }

  #loadFailed({ error, what }: MapEvents['error']): void {
    if (error.status === 401) {
      this.askKey(error.code === 'unknown_key' ? t('key.wrong') : '');
    } else if (what === 'style' && error.status === 404) {
      this.#notices.problem(lackBox(noStyle), undefined, true);
    } else if (error.status === 403 || error.status === 429 || error.status === 0) {
      if (error.code !== 'failed') this.#notices.problem(h('p', {}, reasonText(error)), () => this.map.reload());
    }
  }
}
