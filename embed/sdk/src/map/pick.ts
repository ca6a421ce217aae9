import type { Client } from '../client/client';
import type { Lang, Result } from '../client/types';
import type { GlMap } from './engine';

/** A feature of the basemap that has a name or stands for a place. */
export interface Named {
  name: string;
  lat: number;
  lon: number;
  /** Metres around the point in which its entry is looked for. */
  radius: number;
}

interface Rendered {
  geometry: { type: string; coordinates: unknown };
  properties: Record<string, unknown>;
  layer: { type: string; id: string };
  sourceLayer?: string;
}

/** Fingers are wider than what they mean: pixels around the point. */
const reach = 6;

/** namedAt finds what somebody meant by pressing at a point of the screen. */
export function namedAt(gl: GlMap, point: { x: number; y: number }, click: { lat: number; lng: number }, lang: Lang): Named | null {
  const box: [[number, number], [number, number]] = [
    [point.x - reach, point.y - reach],
    [point.x + reach, point.y + reach],
  ];
  const features = gl.queryRenderedFeatures(box) as unknown as Rendered[];
  for (const f of features) {
    const named = readFeature(f, click, lang);
    if (named) {
      named.radius = Math.round(named.radius + 24 * metresPerPixel(named.lat, gl.getZoom()));
      return named;
    }
  }
  return null;
}

/** readFeature takes labels and icons only: a lake is meant by its name, not by its water. */
export function readFeature(f: Rendered, click: { lat: number; lng: number }, lang: Lang): Named | null {
  if (f.layer.type !== 'symbol' || f.layer.id.startsWith('svc-')) return null;
  const name = nameOf(f.properties, lang);
  const category = f.properties['category'];
  if (!name && typeof category !== 'string') return null;
  const own = f.geometry.type === 'Point' ? (f.geometry.coordinates as number[]) : [];
  const [lon = click.lng, lat = click.lat] = own;
  // The entry of a city may stand where its town hall is and not where its label is.
  const radius = f.sourceLayer === 'place_labels' || f.sourceLayer === 'boundary_labels' ? 2500 : 120;
  return { name, lat, lon, radius };
}

/** nameOf is the primary name, which look-ups know best, else the one of the language. */
export function nameOf(p: Record<string, unknown>, lang: Lang): string {
  for (const key of ['name', `name_${lang}`, 'name_uz', 'name_en', 'housenumber']) {
    const value = p[key];
    if (typeof value === 'string' && value) return value;
  }
  return '';
}

/** metresPerPixel is the size of a pixel on the ground; tiles of MapLibre are 512 wide. */
export function metresPerPixel(lat: number, zoom: number): number {
  return (40_075_016.7 * Math.cos((lat * Math.PI) / 180)) / (512 * 2 ** zoom);
}

/** resolve asks the server which entry a named feature is. */
export function resolve(client: Client, named: Named, signal: AbortSignal): Promise<Result | null> {
  const { lat, lon, name, radius } = named;
  return client.lookup(lat, lon, { name, radius, signal });
}
