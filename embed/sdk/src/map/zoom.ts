import type { Bounds, Result } from '../client/types';
import type { Padding } from './types';

/** From how close a place is looked at that has a point and no outline. */
const zooms: Record<string, number> = {
  'place.country': 5,
  'place.region': 7,
  'place.district': 10,
  'place.island': 11,
  'place.city': 11.5,
  'place.town': 13,
  'place.suburb': 14,
  'place.village': 14,
  'place.neighbourhood': 15,
  'place.locality': 14,
};
const byKind: Record<string, number> = { place: 13, nature: 13, street: 16, poi: 17, address: 18 };

/**
 * closeUp is the zoom for a result. A building is not looked at from farther
 * away than the eye is already; a city never from among its houses.
 */
export function closeUp(r: Pick<Result, 'category' | 'kind'>, now: number): number {
  const zoom = zooms[r.category] ?? byKind[r.kind] ?? 16;
  const small = zoom >= 16;
  return small ? Math.max(Math.min(now, 19), zoom) : Math.min(Math.max(now, zoom), zoom + 2);
}

/** Side of the world at zoom 0, pixels. */
const world = 512;

const mercator = (lat: number) =>
  0.5 - Math.log(Math.tan(Math.PI / 4 + (Math.max(-85, Math.min(85, lat)) * Math.PI) / 360)) / (2 * Math.PI);
const latitude = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/**
 * frame is the centre and zoom at which a box is seen whole, in the part of a
 * map of that size that nothing covers and that keeps so much room at its
 * edges. MapLibre's own answer forgets what is covered while the map is a globe
 * (VerticalPerspectiveCameraHelper.cameraForBoxAndBearing, 6.17).
 */
export function frame(
  [west, south, east, north]: Readonly<Bounds>,
  size: { width: number; height: number },
  covered: Padding,
  room: number | Padding,
  maxZoom: number,
): { center: [lon: number, lat: number]; zoom: number } {
  const edge = typeof room === 'number' ? { top: room, bottom: room, left: room, right: room } : room;
  const width = Math.max(32, size.width - covered.left - covered.right - edge.left - edge.right);
  const height = Math.max(32, size.height - covered.top - covered.bottom - edge.top - edge.bottom);
  const [top, bottom] = [mercator(north), mercator(south)];
  const scale = Math.min(width / ((east - west) / 360), height / (bottom - top)) / world;
  const zoom = Math.max(0, Math.min(maxZoom, Math.log2(scale)));
  const pixel = 1 / (world * 2 ** zoom);
  const x = (west + east) / 2 + ((edge.right - edge.left) / 2) * pixel * 360;
  const y = (top + bottom) / 2 + ((edge.bottom - edge.top) / 2) * pixel;
  return { center: [x, latitude(y)], zoom };
}
