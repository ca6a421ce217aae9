import { SvcError, answerError } from './error';
import type {
  Bounds,
  CategoriesAnswer,
  DistrictProperties,
  Feature,
  FeatureCollection,
  IsochroneAnswer,
  Kind,
  Lang,
  LatLon,
  MatrixAnswer,
  Mode,
  Photo,
  Place,
  Result,
  ReverseAnswer,
  RouteAnswer,
  SearchAnswer,
  Status,
  UsageAnswer,
} from './types';

/** How a client reaches its server. */
export interface ClientOptions {
  /** Where the server is; the default is where this script came from. */
  baseUrl?: string;
  /** API key; sent as `?key=`, because a header would fail the preflight of a browser. */
  key?: string;
  /** Language of answers when a call names none; `uz`. */
  lang?: Lang;
  /** Milliseconds before a GET is given up, 15000; a POST gets at least 30000. */
  timeout?: number;
  /** For tests and for programs without a global fetch. */
  fetch?: typeof fetch;
}

/** What every call accepts. */
export interface CallOptions {
  lang?: Lang;
  signal?: AbortSignal;
}

export interface SearchOptions extends CallOptions {
  limit?: number;
  /** Reference point: distances are from it and closer results come first. */
  near?: LatLon;
  /** Weight of closeness, 0 to 1; 0 counts as unset. */
  bias?: number;
  kinds?: Kind[];
  /** One category id, or `group:<id>`. */
  category?: string;
  bbox?: Bounds;
}

export interface NearbyOptions extends CallOptions {
  /** Metres, at most 20000. */
  radius?: number;
  kinds?: Kind[];
  category?: string;
  limit?: number;
}

export interface LookupOptions extends CallOptions {
  name?: string;
  /** Metres, 120 by default. */
  radius?: number;
}

interface Travel {
  mode?: Mode;
  avoidTolls?: boolean;
  avoidHighways?: boolean;
  shortest?: boolean;
}

export interface RouteOptions extends Travel, CallOptions {
  from: LatLon;
  to: LatLon;
  /** Points to pass through, in order. */
  via?: LatLon[];
  /** 0 to 3; none by default. */
  alternatives?: number;
  /** Degrees in which the first point is left, 60 either way. */
  heading?: number;
}

export interface MatrixOptions extends Travel {
  sources?: LatLon[];
  targets?: LatLon[];
  /** Shorthand for the same points on both sides. */
  points?: LatLon[];
  signal?: AbortSignal;
}

export interface IsochroneOptions {
  point: LatLon;
  mode?: Mode;
  /** Minutes or metres, not both; at most six. */
  minutes?: number[];
  metres?: number[];
  /** Areas (the default) or outlines. */
  polygons?: boolean;
  denoise?: number;
  generalize?: number;
  signal?: AbortSignal;
}

export interface UsageOptions {
  /** A window that ends now, 1 to 366 days; without it the current month. */
  days?: number;
  series?: boolean;
  signal?: AbortSignal;
}

type Params = Record<string, string | number | boolean | undefined>;

const getTimeout = 15_000;
const postTimeout = 30_000;

/** Talks to every endpoint of the map service. */
export class Client {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly timeout: number;
  lang: Lang;
  #key: string;
  #fetch: typeof fetch;

  constructor(options: ClientOptions = {}) {
    this.baseUrl = (options.baseUrl ?? defaultBase()).replace(/\/+$/, '');
    this.timeout = options.timeout && options.timeout > 0 ? options.timeout : getTimeout;
    this.lang = options.lang ?? 'uz';
    this.#key = options.key ?? '';
    this.#fetch = options.fetch ?? ((...args) => fetch(...args));
  }

  /** The key that calls carry from now on; the empty string sends none. */
  get key(): string {
    return this.#key;
  }

  set key(key: string) {
    this.#key = key;
  }

  /** The address of a path of this server with its parameters and the key. */
  url(path: string, params: Params = {}): string {
    const url = new URL(this.baseUrl + path);
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
    }
    if (this.#key) url.searchParams.set('key', this.#key);
    return url.href;
  }

  /** Finds by words. */
  search(q: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    return this.#get('/api/search', { q, ...this.#searchParams(options) }, options.signal);
  }

  /** Finds while somebody types: the last word may be unfinished. */
  autocomplete(q: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    return this.#get('/api/autocomplete', { q, ...this.#searchParams(options) }, options.signal);
  }

  /** The address of a point. */
  reverse(lat: number, lon: number, options: CallOptions = {}): Promise<ReverseAnswer> {
    return this.#get('/api/reverse', { lat, lon, lang: this.#lang(options) }, options.signal);
  }

  /** The entry behind a name on the map. */
  async lookup(lat: number, lon: number, options: LookupOptions = {}): Promise<Result | null> {
    const { name, radius } = options;
    const answer = await this.#get<{ result: Result | null }>(
      '/api/lookup',
      { lat, lon, name, radius, lang: this.#lang(options) },
      options.signal,
    );
    return answer.result;
  }

  /** What is around a point, the most useful first. */
  async nearby(lat: number, lon: number, options: NearbyOptions = {}): Promise<Result[]> {
    const { radius, category, limit } = options;
    const answer = await this.#get<{ results: Result[] }>(
      '/api/nearby',
      { lat, lon, radius, category, limit, kinds: options.kinds?.join(','), lang: this.#lang(options) },
      options.signal,
    );
    return answer.results;
  }

  /** Everything about an entry. */
  place(id: number, options: CallOptions = {}): Promise<Place> {
    return this.#get(`/api/place/${id}`, { lang: this.#lang(options) }, options.signal);
  }

  /** Everything about an object of the map database: an address that outlives a data build. */
  placeByMapsrc(type: string, id: number, options: CallOptions = {}): Promise<Place> {
    const path = `/api/place/mapsrc/${encodeURIComponent(type)}/${id}`;
    return this.#get(path, { lang: this.#lang(options) }, options.signal);
  }

  /** The outline of an entry; an error `not_found` for points. */
  geometry(id: number, options: CallOptions = {}): Promise<Feature<{ id: number; name: string; kind: string }>> {
    return this.#get(`/api/geometry/${id}`, {}, options.signal);
  }

  categories(options: CallOptions = {}): Promise<CategoriesAnswer> {
    return this.#get('/api/categories', {}, options.signal);
  }

  districts(options: CallOptions = {}): Promise<FeatureCollection<DistrictProperties>> {
    return this.#get('/api/districts', {}, options.signal);
  }

  /** The photo of an entity (`Q` and digits), or null. */
  async photo(entity: string, options: CallOptions = {}): Promise<Photo | null> {
    const answer = await this.#get<{ photo: Photo | null }>('/api/photo', { entity }, options.signal);
    return answer.photo;
  }

  /** The address of a photo for an <img>, with the key. */
  photoUrl(photo: Photo): string {
    return this.url(photo.url);
  }

  /** Ways from one point to another, the recommended one first. */
  route(options: RouteOptions): Promise<RouteAnswer> {
    return this.#post(
      '/api/route',
      {
        points: [options.from, ...(options.via ?? []), options.to].map(lonLat),
        language: this.#lang(options),
        alternatives: options.alternatives ?? 0,
        heading: options.heading ?? null,
        ...travel(options),
      },
      options.signal,
    );
  }

  /** Distances and times between many points. */
  matrix(options: MatrixOptions): Promise<MatrixAnswer> {
    return this.#post(
      '/api/matrix',
      {
        sources: options.sources?.map(lonLat),
        targets: options.targets?.map(lonLat),
        points: options.points?.map(lonLat),
        ...travel(options),
      },
      options.signal,
    );
  }

  /** What can be reached within minutes or metres. */
  isochrone(options: IsochroneOptions): Promise<IsochroneAnswer> {
    const { mode, minutes, metres, denoise, generalize } = options;
    return this.#post(
      '/api/isochrone',
      {
        point: lonLat(options.point),
        mode,
        minutes,
        metres,
        polygons: options.polygons ?? true,
        denoise,
        generalize,
      },
      options.signal,
    );
  }

  /** What the server says about itself; needs no key. */
  status(options: CallOptions = {}): Promise<Status> {
    return this.#get('/api/status', {}, options.signal);
  }

  /** What this key has used. */
  usage(options: UsageOptions = {}): Promise<UsageAnswer> {
    return this.#get('/api/usage', { days: options.days, series: options.series ? 1 : undefined }, options.signal);
  }

  /**
   * Asks whether the server accepts the key from this page; the answer is an
   * error with the reason when it does not. It counts as one request for tiles.
   */
  async checkKey(options: CallOptions = {}): Promise<void> {
    try {
      await this.#get('/styles/styles.json', {}, options.signal);
    } catch (error) {
      // A server without styles lets the request through to nothing, and one
      // that is out of quota knows the key.
      if (!(error instanceof SvcError) || (error.status !== 404 && error.status !== 429)) throw error;
    }
  }

  #lang(options: CallOptions): Lang {
    return options.lang ?? this.lang;
  }

  #searchParams(options: SearchOptions): Params {
    const [lon, lat] = options.near ? lonLat(options.near) : [];
    return {
      lang: this.#lang(options),
      limit: options.limit,
      lat,
      lon,
      bias: options.bias,
      kinds: options.kinds?.join(','),
      category: options.category,
      bbox: options.bbox?.join(','),
    };
  }

  #get<T>(path: string, params: Params, signal?: AbortSignal): Promise<T> {
    return this.#ask(this.url(path, params), {}, this.timeout, signal);
  }

  #post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    return this.#ask(this.url(path), init, Math.max(this.timeout, postTimeout), signal);
  }

  /** One request with its time limit, which covers the body too. */
  async #ask<T>(url: string, init: RequestInit, timeout: number, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const own = new AbortController();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      own.abort();
    }, timeout);
    const giveUp = () => own.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      const response = await this.#fetch(url, { ...init, signal: own.signal });
      if (!response.ok) throw await answerError(response);
      return (await response.json()) as T;
    } catch (error) {
      if (error instanceof SvcError) throw error;
      if (signal?.aborted) throw signal.reason;
      if (late) throw new SvcError(0, `no answer within ${timeout / 1000} s`, 'timeout');
      if (error instanceof SyntaxError) throw new SvcError(0, 'the answer cannot be read', 'failed');
      throw new SvcError(0, 'the server does not answer', 'network');
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }
}

/** lonLat turns a point of people into the order of the wire. */
export function lonLat(point: LatLon): [lon: number, lat: number] {
  return 'lat' in point ? [point.lon, point.lat] : [point[1], point[0]];
}

function travel(t: Travel) {
  return {
    mode: t.mode,
    avoid_tolls: t.avoidTolls,
    avoid_highways: t.avoidHighways,
    shortest: t.shortest,
  };
}

let scriptUrl = '';

/** loadedFrom tells where this script came from; the entry points call it. */
export function loadedFrom(url: string | undefined): void {
  scriptUrl = url ?? '';
}

/** The server that this script came from: its address without `/v1/…`. */
function defaultBase(): string {
  const script = /^(https?:\/\/[^?#]*?)\/v1\/[^/]*(?:[?#].*)?$/.exec(scriptUrl);
  if (script?.[1]) return script[1];
  const page = globalThis.location?.origin;
  if (!page || page === 'null') throw new Error('baseUrl is required here: this script was not loaded from a server');
  return page;
}
