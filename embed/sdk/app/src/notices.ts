import { t } from './i18n';
import { h, iconButton } from './ui';

/** Notices are the few sentences that lie over the map. */
export class Notices {
  readonly element = h('div', { class: 'notices' });
  #toast = h('div', { class: 'toast', attrs: { role: 'status' } });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #problem: HTMLElement | undefined;
  #lasting = false;

  constructor() {
    this.element.append(this.#toast);
  }

  /** toast says something and goes away. */
  toast(text: string): void {
    clearTimeout(this.#timer);
    this.#toast.textContent = text;
    this.#timer = setTimeout(() => {
      this.#toast.textContent = '';
    }, 4000);
  }

  /**
   * problem stays until it is solved or closed. A new one takes its place, but
   * not that of a lasting one, which says why all the others happen.
   */
  problem(content: Node, again?: () => void, lasting = false): void {
    if (this.#lasting && !lasting && this.#problem?.isConnected) return;
    this.solved();
    this.#lasting = lasting;
    const box = h('div', { class: 'problem-box', attrs: { role: 'alert' } }, content);
    if (again) {
      box.append(
        h(
          'button',
          {
            type: 'button',
            class: 'plain',
            on: {
              click: () => {
                this.solved();
                again();
              },
            },
          },
          t('app.retry'),
        ),
      );
    }
    box.append(iconButton('close', t('app.close'), () => this.solved(), 'small'));
    this.#problem = box;
    this.element.prepend(box);
  }

  /** loaded takes away what has been overcome by loading the map. */
  loaded(): void {
    if (!this.#lasting) this.solved();
  }

  /** solved takes the problem away. */
  solved(): void {
    this.#problem?.remove();
    this.#problem = undefined;
    this.#lasting = false;
  }
}
