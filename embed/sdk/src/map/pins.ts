import type { Result } from '../client/types';
import { element } from './dom';
import { type GlMap, Marker } from './engine';
import type { Icons } from './sprite';

/** Marks on the map that are elements of the page: places that were found, ends of a way. */
export class Pins {
  #gl: GlMap;
  #icons: Icons;
  #results: Marker[] = [];
  #ends: Marker[] = [];
  #pin: Marker | undefined;

  constructor(gl: GlMap, icons: Icons) {
    this.#gl = gl;
    this.#icons = icons;
  }

  /** One button for each result; pressing it calls picked. */
  setResults(results: readonly Result[], picked: (r: Result) => void): void {
    for (const marker of this.#results) marker.remove();
    this.#results = results.map((r) => {
      const button = element('button', 'svc-pin', this.#icons.icon(r.icon));
      button.type = 'button';
      button.title = r.name;
      button.setAttribute('aria-label', r.name);
      button.addEventListener('click', (e) => {
        e.stopPropagation();
        picked(r);
      });
      return this.#marker(button, r.lon, r.lat, 'center');
    });
  }

  /** The one place that everything is about now; null takes the pin away. */
  setPin(at: { lat: number; lon: number } | null): void {
    this.#pin?.remove();
    this.#pin = at ? this.#marker(drop('svc-drop'), at.lon, at.lat, 'bottom') : undefined;
  }

  /** The points of a way with the letters that lists call them by. */
  setEnds(points: readonly { lat: number; lon: number; name: string }[]): void {
    for (const marker of this.#ends) marker.remove();
    this.#ends = points.map((p, i) => {
      const last = i === points.length - 1;
      const e = element('div', `svc-end${last ? ' svc-end-last' : ''}`, String.fromCharCode(65 + (i % 26)));
      e.setAttribute('role', 'img');
      e.setAttribute('aria-label', p.name);
      return this.#marker(e, p.lon, p.lat, 'center');
    });
  }

  clear(): void {
    this.setResults([], () => undefined);
    this.setPin(null);
    this.setEnds([]);
  }

  #marker(e: HTMLElement, lon: number, lat: number, anchor: 'center' | 'bottom'): Marker {
    return new Marker({ element: e, anchor }).setLngLat([lon, lat]).addTo(this.#gl);
  }
}

/** drop is a map pin as a drawing. */
function drop(className: string): HTMLElement {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 28 38');
  svg.setAttribute('width', '28');
  svg.setAttribute('height', '38');
  for (const [d, name] of [
    ['M14 1C6.8 1 1 6.8 1 14c0 9.2 10.3 19.2 12.3 22.6a.8.8 0 0 0 1.4 0C16.7 33.2 27 23.2 27 14 27 6.8 21.2 1 14 1Z', 'svc-drop-body'],
    ['M14 9.500a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z', 'svc-drop-hole'],
  ] as const) {
    const path = document.createElementNS(ns, 'path');
    path.setAttribute('d', d);
    path.setAttribute('class', name);
    svg.append(path);
  }
  const e = element('div', className);
  e.setAttribute('aria-hidden', 'true');
  e.append(svg);
  return e;
}
