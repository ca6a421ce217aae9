import type { SvcError } from '../client/error';
import type { IsochroneAnswer, Lang, LatLon, Mode, Place, Result, Route } from '../client/types';

/** The names of the styles that the server has; a URL or a style object may stand instead. */
export type StyleName =
  | 'light'
  | 'dark'
  | 'natural'
  | 'natural-dark'
  | 'muted'
  | 'muted-dark'
  | 'gray'
  | 'gray-dark'
  | 'toner'
  | 'toner-dark';

/** How a map begins. */
export interface MapOptions {
  /** The element, its id, or a selector. */
  container: string | HTMLElement;
  key?: string;
  style?: StyleName | (string & {}) | object;
  lang?: Lang;
  /** `[lon, lat]`, as everywhere in map styles. */
  center?: [lon: number, lat: number];
  zoom?: number;
  bearing?: number;
  pitch?: number;
  bounds?: [number, number, number, number];
  minZoom?: number;
  maxZoom?: number;
  /** Where the server is; the default is where this script came from. */
  baseUrl?: string;
  timeout?: number;
  /** Zoom buttons, compass and location, true by default. */
  controls?: boolean;
  /** Icons of points of interest, true by default. */
  poi?: boolean;
  /** Shaded relief, where the server has terrain. */
  hillshade?: boolean;
  /** A small card at a place that was clicked or found, true by default. */
  card?: boolean;
  /** A sentence on the map when the server refuses it or does not answer, true by default. */
  notices?: boolean;
  /** One finger scrolls the page and two move the map: for maps inside a text. */
  cooperativeGestures?: boolean;
}

/** Pixels that stay free at the edges. */
export interface Padding {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** A point of the screen that somebody pressed. */
export interface PointEvent {
  lat: number;
  lon: number;
}

export interface PlaceEvent {
  place: Result;
  /** What was used: a name on the map, the search box, or a pin of `showResults`. */
  source: 'map' | 'search' | 'pin';
  /** Keeps the small card from opening. */
  preventDefault(): void;
  readonly defaultPrevented: boolean;
}

export interface RouteEvent {
  routes: Route[];
  selected: number;
}

/** What `Map.on` can listen to. */
export interface MapEvents {
  /** A name or an icon of the map was clicked and resolved, or a search result taken. */
  place: PlaceEvent;
  /** The map was clicked where nothing has a name. */
  click: PointEvent;
  /** Right click, or a long press. */
  contextmenu: PointEvent;
  /** Another of the drawn routes was chosen. */
  route: RouteEvent;
  /** The view came to rest. */
  move: { center: [lon: number, lat: number]; zoom: number };
  /** The first view is drawn. */
  load: object;
  /** Something of the map could not be loaded; the message holds no key. */
  error: { error: SvcError; what: 'style' | 'tiles' | 'fonts' | 'sprites' | 'other' };
}

export interface DirectionsOptions {
  from: LatLon;
  to: LatLon;
  via?: LatLon[];
  mode?: Mode;
  lang?: Lang;
  /** 0 to 3; 2 by default. */
  alternatives?: number;
  avoidTolls?: boolean;
  avoidHighways?: boolean;
  shortest?: boolean;
  /** Moves the map so that all is seen, true by default. */
  fit?: boolean;
  signal?: AbortSignal;
}

/** Routes on the map. */
export interface Directions {
  readonly routes: Route[];
  readonly warnings: string[];
  readonly selected: number;
  /** Moves the map so that all of it is seen. */
  fit(): void;
  /** Brings a route to the front. */
  select(index: number): void;
  /** Takes the routes off the map. */
  remove(): void;
}

export interface IsochroneMapOptions {
  point: LatLon;
  mode?: Mode;
  minutes?: number[];
  metres?: number[];
  denoise?: number;
  generalize?: number;
  fit?: boolean;
  signal?: AbortSignal;
}

/** Reachable areas on the map. */
export interface Isochrone {
  readonly areas: IsochroneAnswer;
  /** From the smallest contour to the largest, with the colour it is drawn in. */
  readonly legend: { label: string; value: number; metric: 'time' | 'distance'; color: string }[];
  /** Moves the map so that all of it is seen. */
  fit(): void;
  remove(): void;
}

export type { Place };

/**
 * The part of MapLibre's map that most pages need; the object has everything
 * that MapLibre GL JS documents.
 */
export interface GlMap {
  addSource(id: string, source: object): unknown;
  removeSource(id: string): unknown;
  getSource(id: string): unknown;
  addLayer(layer: object, beforeId?: string): unknown;
  removeLayer(id: string): unknown;
  getLayer(id: string): unknown;
  setPaintProperty(layer: string, name: string, value: unknown): unknown;
  setLayoutProperty(layer: string, name: string, value: unknown): unknown;
  getCenter(): { lng: number; lat: number };
  getZoom(): number;
  getBounds(): { toArray(): [[number, number], [number, number]] };
  jumpTo(options: object): unknown;
  easeTo(options: object): unknown;
  setPadding(padding: { top: number; bottom: number; left: number; right: number }): unknown;
  flyTo(options: object): unknown;
  fitBounds(bounds: [[number, number], [number, number]], options?: object): unknown;
  project(lngLat: [number, number]): { x: number; y: number };
  unproject(point: [number, number]): { lng: number; lat: number };
  isMoving(): boolean;
  stop(): unknown;
  queryRenderedFeatures(geometry?: unknown, options?: object): unknown[];
  resize(): unknown;
  on(type: string, listener: (event: unknown) => void): unknown;
  off(type: string, listener: (event: unknown) => void): unknown;
  once(type: string, listener?: (event: unknown) => void): unknown;
  getCanvas(): HTMLCanvasElement;
  getContainer(): HTMLElement;
  // biome-ignore lint/suspicious/noConfusingVoidType: as MapLibre declares it
  isStyleLoaded(): boolean | void;
}
