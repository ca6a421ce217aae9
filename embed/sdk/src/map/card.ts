import type { Result } from '../client/types';
import { element } from './dom';
import { type GlMap, Popup } from './engine';

/** The small card at a place: its name and the line under it. */
export class Card {
  #gl: GlMap;
  #popup: Popup | undefined;

  constructor(gl: GlMap) {
    this.#gl = gl;
  }

  show(r: Result): void {
    this.hide();
    const content = element(
      'div',
      'svc-card',
      element('strong', 'svc-card-name', r.name),
      element('span', 'svc-card-label', r.label || r.category_label),
    );
    this.#popup = new Popup({ offset: 14, maxWidth: '260px', focusAfterOpen: false })
      .setLngLat([r.lon, r.lat])
      .setDOMContent(content)
      .addTo(this.#gl);
  }

  hide(): void {
    this.#popup?.remove();
    this.#popup = undefined;
  }
}
