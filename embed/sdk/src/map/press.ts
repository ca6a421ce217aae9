import type { PointEvent } from './types';
import type { GlMap } from './engine';

/** How long a finger rests before it means the menu, milliseconds. */
const longPress = 550;
/** How far it may drift meanwhile, pixels. */
const drift = 10;

/**
 * onMenu calls fn on a right click and on a long press, which not every
 * browser turns into a contextmenu event.
 */
export function onMenu(gl: GlMap, fn: (at: PointEvent) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = { x: 0, y: 0 };
  let last = 0;
  const fire = (lngLat: { lat: number; lng: number }) => {
    if (Date.now() - last < 1000) return; // the browser's own event after our timer
    last = Date.now();
    fn({ lat: lngLat.lat, lon: lngLat.lng });
  };
  gl.on('contextmenu', (e) => {
    clearTimeout(timer);
    fire(e.lngLat);
  });
  gl.on('touchstart', (e) => {
    clearTimeout(timer);
    if (e.points.length !== 1) return;
    start = { x: e.point.x, y: e.point.y };
    timer = setTimeout(() => fire(e.lngLat), longPress);
  });
  gl.on('touchmove', (e) => {
    if (Math.hypot(e.point.x - start.x, e.point.y - start.y) > drift) clearTimeout(timer);
  });
  for (const end of ['touchend', 'touchcancel', 'dragstart', 'zoomstart'] as const) gl.on(end, () => clearTimeout(timer));
}
