import type { Lang } from '../client/types';
import { words } from '../i18n/words';
import { element } from './dom';
import type { MapEvents } from './types';

/** The sentence that lies on a map that cannot be shown. */
export class Notice {
  #container: HTMLElement;
  #again: () => void;
  #shown: HTMLElement | undefined;

  /** again loads the map once more. */
  constructor(container: HTMLElement, again: () => void) {
    this.#container = container;
    this.#again = again;
  }

  /** Says why there is no map; what a map can do without is not worth a sentence. */
  show(told: MapEvents['error'], lang: Lang): void {
    const text = noticeText(told, lang);
    if (!text || this.#shown?.dataset['text'] === text) return;
    this.hide();
    const button = element('button', 'svc-notice-again', words[lang].retry);
    button.type = 'button';
    button.addEventListener('click', () => {
      this.hide();
      this.#again();
    });
    this.#shown = element('div', 'svc-notice', element('span', '', text), button);
    this.#shown.dataset['text'] = text;
    this.#shown.setAttribute('role', 'alert');
    this.#container.append(this.#shown);
  }

  hide(): void {
    this.#shown?.remove();
    this.#shown = undefined;
  }
}

/** noticeText is the sentence; empty for what is not worth one. */
export function noticeText({ error, what }: MapEvents['error'], lang: Lang): string {
  const w = words[lang];
  if (what === 'other') return '';
  if ([401, 403, 429].includes(error.status)) return `${w.refused}: ${error.message}`;
  if (error.code === 'network' && what !== 'fonts' && what !== 'sprites') return w.failed;
  if (what === 'style') return error.status === 404 ? w.unstyled : `${w.refused}: ${error.message}`;
  return '';
}
