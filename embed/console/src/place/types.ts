// The answers of the map service, as far as these pages read them.
export type Bounds = [minlon: number, minlat: number, maxlon: number, maxlat: number];

export interface Status {
  routing: boolean;
  photos: boolean;
  docs: number;
  built_at: string | null;
  bounds: Bounds | null;
  sources: Record<string, unknown>;
  attribution: string;
}

export interface Result {
  id: number;
  kind: string;
  category: string;
  name: string;
  label: string;
  category_label: string;
  lat: number;
  lon: number;
  bbox: Bounds;
  distance?: number;
}

/** Minutes from midnight; close is over 1440 for hours past midnight. */
export interface Range {
  open: number;
  close: number;
}

export interface Place extends Result {
  full_address: string;
  population: number;
  details: {
    phone?: string;
    website?: string;
    email?: string;
    hours?: { raw: string; all_day: boolean; days: Range[][]; unparsed?: boolean };
    open_status?: { open: boolean; known: boolean; next_change?: string };
  };
  nearby: Result[] | null;
}

export interface Reverse {
  lat: number;
  lon: number;
  label: string;
  short: string;
  place?: Result;
}

export interface Step {
  instruction: string;
  distance: number;
}

export interface Route {
  distance: number;
  duration: number;
  geometry: [lon: number, lat: number][];
  bbox: Bounds;
  legs: { steps: Step[] }[];
  summary: string;
}

export interface RouteAnswer {
  routes: Route[];
}

export interface StyleInfo {
  id: string;
  name: string;
  dark: boolean;
  url: string;
}

export interface Usage {
  name: string;
  from: string;
  to: string;
  requests: number;
  denied: number;
  products: { product: string; requests: number; denied: number }[];
  series?: { hour: string; product: string; requests: number; denied: number }[];
  quota?: { limit: number; used: number; remaining: number; resets: string };
}
