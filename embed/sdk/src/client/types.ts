// Shapes of the map service's answers, as the map contract names them.
// Coordinates inside answers are [lon, lat]; distances are metres and
// durations seconds. Method arguments of the client are (lat, lon).

/** A language of names and labels. Anything else is read as `uz` by the server. */
export type Lang = 'uz' | 'ru' | 'en' | 'uz-Cyrl';

/** What an entry of the index is. */
export type Kind = 'place' | 'street' | 'poi' | 'address' | 'nature';

/** A point as people say it: latitude first. */
export type LatLon = readonly [lat: number, lon: number] | { readonly lat: number; readonly lon: number };

/** `[minlon, minlat, maxlon, maxlat]` in degrees. */
export type Bounds = [number, number, number, number];

/** A way of travelling that the routing engine knows. */
export type Mode = 'car' | 'taxi' | 'truck' | 'motorcycle' | 'bus' | 'foot' | 'bike';

/** The parts of an address; empty parts are absent. */
export interface Address {
  street?: string;
  housenumber?: string;
  neighbourhood?: string;
  suburb?: string;
  city?: string;
  district?: string;
  region?: string;
  postcode?: string;
}

/** Which stage of matching found a result. */
export type Reason = 'exact' | 'fuzzy' | 'mixed' | 'trigram' | 'address' | 'street' | 'category' | 'name' | 'lookup';

/** One thing that was found. */
export interface Result {
  /** Lives as long as one data build; keep `mapsrc` of the details for longer. */
  id: number;
  kind: Kind;
  category: string;
  group: string;
  /** Image name in the sprite `places`. */
  icon: string;
  name: string;
  label: string;
  category_label: string;
  lat: number;
  lon: number;
  bbox: Bounds;
  /** Metres from the reference point; absent without one and when exactly 0. */
  distance?: number;
  address: Address;
  names?: Record<string, string>;
  matched?: string[];
  /** Importance, 0.02 to 1. */
  rank: number;
  reason?: Reason;
}

/** Minutes from midnight; `close` is over 1440 for hours past midnight. */
export interface OpenRange {
  open: number;
  close: number;
}

/** A week of opening hours, Monday first. */
export interface Hours {
  raw: string;
  all_day: boolean;
  days: OpenRange[][];
  /** True when no rule could be read; `days` are all empty then. */
  unparsed?: boolean;
}

/** Whether a place is open now, in the zone Asia/Tashkent. */
export interface OpenStatus {
  open: boolean;
  known: boolean;
  all_day?: boolean;
  /** `HH:MM` of the next opening or closing. */
  next_change?: string;
  closes_soon?: boolean;
  opens_soon?: boolean;
  /** Days ahead of the next opening; absent for today. */
  next_day?: number;
}

/** What is known about a place beside its name; every key may be absent. */
export interface Details {
  phone?: string;
  website?: string;
  photo_social?: string;
  messenger?: string;
  email?: string;
  opening_hours?: string;
  hours?: Hours;
  open_status?: OpenStatus;
  [key: string]: unknown;
}

/** The object of the map database behind an entry. */
export interface MapSource {
  /** `n`, `w`, `r`: node, way, relation; `o`, `c`: other data sets. */
  type: string;
  id: number;
  url: string;
}

/** A result with everything that is known about it. */
export interface Place extends Result {
  mapsrc: MapSource;
  tags: Record<string, string>;
  population: number;
  admin_level: number;
  full_address: string;
  details: Details;
  /** Path of the photo look-up; carries no key. */
  photo_hint?: string;
  nearby: Result[] | null;
  geometry_url?: string;
}

/** A category word that the query contained. */
export interface Intent {
  category: string;
  browse: boolean;
  label: string;
  icon: string;
}

export interface SearchAnswer {
  query: string;
  results: Result[];
  took_ms: number;
  intent?: Intent;
}

export interface Admin {
  level: number;
  name: string;
  mapsrc_id: number;
}

export interface ReverseAnswer {
  lat: number;
  lon: number;
  address: Address;
  label: string;
  short: string;
  street?: { id: number; name: string; distance: number; lon: number; lat: number };
  place?: Result;
  admins: Admin[] | null;
}

export interface Labels {
  uz: string;
  ru: string;
  en: string;
}

export interface Group {
  id: string;
  icon: string;
  color: string;
  label: Labels;
}

export interface Category {
  id: string;
  group: string;
  icon: string;
  label: Labels;
  synonyms?: string[];
  rank: number;
}

export interface CategoriesAnswer {
  groups: Group[];
  categories: Category[];
}

/** GeoJSON, as far as the service sends it. */
export interface Feature<P = Record<string, unknown>> {
  type: 'Feature';
  geometry: { type: string; coordinates: unknown };
  properties: P;
}

export interface FeatureCollection<P = Record<string, unknown>> {
  type: 'FeatureCollection';
  features: Feature<P>[];
}

export interface DistrictProperties {
  name: string;
  level: number;
  extent: number;
  [name: `name:${string}`]: string;
}

export interface Photo {
  url: string;
  source_url: string;
  author?: string;
  license?: string;
  license_url?: string;
  title?: string;
  width?: number;
  height?: number;
  attribution: string;
}

export type Modifier = '' | 'straight' | 'left' | 'right' | 'slight_left' | 'slight_right' | 'sharp_left' | 'sharp_right';

/** One manoeuvre. */
export interface Step {
  type: string;
  modifier: Modifier;
  instruction: string;
  verbal?: string;
  street_names?: string[];
  distance: number;
  duration: number;
  /** Indices into the geometry of the route. */
  geometry_start: number;
  geometry_end: number;
  roundabout_exit?: number;
  toll?: boolean;
  highway?: boolean;
  ferry?: boolean;
  sign?: { exit_number?: string[]; branch?: string[]; toward?: string[] };
}

export interface Leg {
  distance: number;
  duration: number;
  steps: Step[];
}

export interface Route {
  id: string;
  mode: string;
  distance: number;
  duration: number;
  geometry: [lon: number, lat: number][];
  bbox: Bounds;
  legs: Leg[];
  summary: string;
  has_toll?: boolean;
  has_highway?: boolean;
  has_ferry?: boolean;
  recommended?: boolean;
}

export interface RouteAnswer {
  routes: Route[];
  language: string;
  engine: string;
  warnings?: string[];
}

/** `null` means that there is no way, which is an answer and not an error. */
export interface MatrixCell {
  source: number;
  target: number;
  distance: number | null;
  duration: number | null;
}

export interface MatrixAnswer {
  mode: string;
  sources: number;
  targets: number;
  cells: MatrixCell[];
  rows: MatrixCell[][];
  engine: string;
}

export interface ContourProperties {
  contour: number;
  metric: 'time' | 'distance';
  contour_minutes?: number;
  contour_metres?: number;
  [key: string]: unknown;
}

export interface IsochroneAnswer extends FeatureCollection<ContourProperties> {
  mode: string;
  engine: string;
}

/** What a server says about itself; needs no key. */
export interface Status {
  routing: boolean;
  photos: boolean;
  docs: number;
  built_at: string | null;
  bounds: Bounds | null;
  sources: Record<string, unknown>;
  version?: string;
  languages?: string[];
  kinds?: Partial<Record<Kind, number>>;
  tiles?: { minzoom: number; maxzoom: number; schema?: string; schema_version?: string };
  engine?: { name: string; version?: string; data_time?: string };
  attribution?: string;
  uptime_seconds?: number;
}

export interface UsageProduct {
  key: string;
  product: string;
  requests: number;
  denied: number;
}

export interface UsageHour {
  hour: string;
  product: string;
  requests: number;
  denied: number;
}

export interface UsageAnswer {
  key: string;
  name: string;
  from: string;
  to: string;
  requests: number;
  denied: number;
  products: UsageProduct[];
  series?: UsageHour[];
  quota?: { limit: number; used: number; remaining: number; resets: string };
}
