import { failure, isAbort, isSvc } from './failure';
import { t } from './i18n';
import { h } from './ui';
import type { App } from './app';

/** A place in a view whose content comes from the server. */
export interface Slot {
  element: HTMLElement;
  /** Asks again. */
  load(): void;
  dispose(): void;
}

/**
 * slot shows that something is loading, then what ask and show made of it, or
 * the failure with a button. Keys that are missing are asked for at once.
 */
export function slot<T>(app: App, ask: (signal: AbortSignal) => Promise<T>, show: (answer: T) => Node[]): Slot {
  const element = h('div', { class: 'slot', attrs: { 'aria-live': 'polite' } });
  let asking = new AbortController();
  const load = () => {
    asking.abort();
    const mine = (asking = new AbortController());
    element.setAttribute('aria-busy', 'true');
    element.replaceChildren(skeleton());
    ask(mine.signal).then(
      (answer) => {
        if (mine.signal.aborted) return;
        element.removeAttribute('aria-busy');
        element.replaceChildren(...show(answer));
      },
      (error: unknown) => {
        if (mine.signal.aborted || isAbort(error)) return;
        element.removeAttribute('aria-busy');
        element.replaceChildren(failure(error, load));
        if (isSvc(error) && error.status === 401) app.askKey();
      },
    );
  };
  load();
  return { element, load, dispose: () => asking.abort() };
}

/** skeleton is grey lines where text will be. */
export function skeleton(): HTMLElement {
  return h('div', { class: 'skeleton' }, h('span', { class: 'quiet' }, t('app.loading')), h('i'), h('i'), h('i'));
}
