/** element makes an element; text is always text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
}

/** find turns a selector or an element into an element. */
export function find(target: string | HTMLElement): HTMLElement {
  const found = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
  if (!found) throw new Error(`no element matches ${String(target)}`);
  return found;
}

/** emitter keeps listeners by the name of what happened. */
export class Emitter<Events> {
  #listeners = new Map<keyof Events, Set<(event: never) => void>>();

  /** Calls fn on every event; the answer stops that. */
  on<K extends keyof Events>(name: K, fn: (event: Events[K]) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(fn as (event: never) => void));
    return () => this.off(name, fn);
  }

  /** Stops what `on` began. */
  off<K extends keyof Events>(name: K, fn: (event: Events[K]) => void): void {
    this.#listeners.get(name)?.delete(fn as (event: never) => void);
  }

  protected emit<K extends keyof Events>(name: K, event: Events[K]): void {
    for (const fn of [...(this.#listeners.get(name) ?? [])]) (fn as (event: Events[K]) => void)(event);
  }

  protected hasListener(name: keyof Events): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0;
  }

  protected clearListeners(): void {
    this.#listeners.clear();
  }
}
