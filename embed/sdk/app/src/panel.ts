import type { View } from './app';
import { t } from './i18n';
import { h, iconButton } from './ui';

/** Panel is the card beside the map, on a phone the sheet below it. */
export class Panel {
  readonly element = h('section', { class: 'panel', hidden: true, tabIndex: -1 });
  #view: View | undefined;
  #make: (() => View) | undefined;
  #closed: () => void;
  #changed: () => void;
  #before: Element | null = null;

  /** closed is called when somebody closes it, changed when its size may have changed. */
  constructor(closed: () => void, changed: () => void) {
    this.#closed = closed;
    this.#changed = changed;
    this.element.addEventListener('keydown', (e) => {
      if (e.key === 'Escape') this.#closed();
    });
  }

  get view(): View | undefined {
    return this.#view;
  }

  /** show replaces what is there; the focus moves in, so that the keyboard is where the eye is. */
  show(make: () => View): void {
    if (!this.#view) this.#before = document.activeElement;
    this.#make = make;
    this.#render(make);
    this.element.classList.remove('tall');
    this.element.focus({ preventScroll: true });
  }

  /** again makes the same view in another language. */
  again(): void {
    if (this.#make) this.#render(this.#make);
  }

  close(): void {
    this.#view?.dispose?.();
    this.#view = undefined;
    this.#make = undefined;
    const inside = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.element.replaceChildren();
    if (inside && this.#before instanceof HTMLElement && this.#before.isConnected) this.#before.focus({ preventScroll: true });
    this.#changed();
  }

  setTitle(title: string): void {
    if (title) this.element.setAttribute('aria-label', title);
  }

  #render(make: () => View): void {
    this.#view?.dispose?.();
    const view = make();
    this.#view = view;
    const grip = h(
      'button',
      {
        type: 'button',
        class: 'grip',
        attrs: { 'aria-label': t('app.collapse') },
        on: {
          click: () => {
            this.element.classList.toggle('tall');
            this.#changed();
          },
        },
      },
      h('i'),
    );
    const bar = h(
      'header',
      { class: view.ownTitle ? 'bar own' : 'bar' },
      view.ownTitle ? null : h('h2', {}, view.title),
      iconButton('close', t('app.close'), () => this.#closed()),
    );
    this.element.replaceChildren(grip, bar, h('div', { class: 'content' }, view.body));
    this.element.hidden = false;
    this.setTitle(view.title || t('app.map'));
    this.#changed();
  }
}
