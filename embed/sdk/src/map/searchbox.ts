import type { Client, SearchOptions } from '../client/client';
import { SvcError, isAbort } from '../client/error';
import type { Lang, LatLon, Result } from '../client/types';
import { distanceText, words } from '../i18n/words';
import { element, Emitter, find } from './dom';
import { Icons } from './sprite';

/** How a search box behaves. */
export interface SearchBoxOptions {
  lang?: Lang;
  /** Suggestions at most, 8 by default, 12 at most. */
  limit?: number;
  /** Text of the empty field. */
  placeholder?: string;
  /** What the field is called for screen readers; the placeholder by default. */
  label?: string;
  /** The point that distances are from and results should be close to, asked at every search. */
  near?: () => LatLon | undefined;
  kinds?: SearchOptions['kinds'];
  category?: string;
  /** Milliseconds of silence before a search, 120. */
  debounce?: number;
}

export interface SearchBoxEvents {
  /** Somebody chose a result. */
  pick: { result: Result };
  /** Suggestions arrived. */
  results: { query: string; results: Result[] };
  /** The field was emptied. */
  clear: object;
  /** A search failed; the box says so too. */
  error: { error: SvcError };
}

let boxes = 0;

/** Answers that a box remembers: going back over a word asks nobody. */
const remembered = 60;

/**
 * A search field with suggestions: the combobox of the ARIA practices. Arrow
 * keys choose, Enter takes, Escape closes and then empties.
 */
export class SearchBox extends Emitter<SearchBoxEvents> {
  readonly input: HTMLInputElement;
  readonly client: Client;
  #options: SearchBoxOptions;
  #icons: Icons;
  #made: Node[] = [];
  #list: HTMLUListElement;
  #note: HTMLElement;
  #results: Result[] = [];
  #active = -1;
  #answered = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;
  #memory = new Map<string, Result[]>();
  #attributes: string[] = [];
  #listeners = new AbortController();

  /** Puts a field into the element, or takes over the element when it is an input. */
  constructor(client: Client, target: string | HTMLElement, options: SearchBoxOptions = {}, icons?: Icons) {
    super();
    this.client = client;
    this.#options = options;
    this.#icons = icons ?? new Icons(client);
    const host = find(target);
    const box = element('div', 'svc-search');
    if (host instanceof HTMLInputElement) {
      this.input = host;
      host.after(box);
      this.#made = [box];
    } else {
      this.input = element('input', 'svc-search-input');
      this.input.type = 'search';
      this.input.enterKeyHint = 'search';
      box.append(this.input);
      host.append(box);
      this.#made = [box];
    }
    this.#list = element('ul', 'svc-search-list');
    this.#note = element('div', 'svc-search-note');
    box.append(this.#list, this.#note);
    this.#dress();
    this.#listen(box);
  }

  /** The text of the field. */
  get value(): string {
    return this.input.value;
  }

  /** Writes into the field without searching. */
  set value(text: string) {
    this.#stop();
    this.input.value = text;
    this.#close();
  }

  focus(): void {
    this.input.focus();
  }

  /** Empties the field and says so. */
  clear(): void {
    this.value = '';
    this.emit('clear', {});
  }

  /** Changes options from the next search on. */
  configure(options: SearchBoxOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#dress();
  }

  /** Searches now for what stands in the field. */
  async search(): Promise<Result[]> {
    this.#stop();
    const query = this.input.value.trim();
    if (!query) {
      this.#close();
      return [];
    }
    const params = this.#params();
    const memory = JSON.stringify([query, params]);
    const known = this.#memory.get(memory);
    if (known) return this.#show(query, known);
    const mine = (this.#asking = new AbortController());
    this.input.setAttribute('aria-busy', 'true');
    try {
      const answer = await this.client.autocomplete(query, { ...params, signal: mine.signal });
      this.#remember(memory, answer.results);
      return this.#show(query, answer.results);
    } catch (error) {
      if (!isAbort(error) && mine === this.#asking) this.#fail(error);
      return [];
    } finally {
      if (mine === this.#asking) this.input.removeAttribute('aria-busy');
    }
  }

  /** Takes everything away that the box added. */
  remove(): void {
    this.#stop();
    this.#listeners.abort();
    this.clearListeners();
    for (const node of this.#made) node.parentNode?.removeChild(node);
    for (const name of this.#attributes) this.input.removeAttribute(name);
  }

  get #lang(): Lang {
    return this.#options.lang ?? this.client.lang;
  }

  #params(): SearchOptions {
    const { limit = 8, near, kinds, category } = this.#options;
    return { lang: this.#lang, limit: Math.min(limit, 12), near: near?.(), kinds, category };
  }

  #remember(memory: string, results: Result[]): void {
    this.#memory.set(memory, results);
    const oldest = this.#memory.keys().next();
    if (this.#memory.size > remembered && !oldest.done) this.#memory.delete(oldest.value);
  }

  #dress(): void {
    const w = words[this.#lang];
    const id = this.#list.id || `svc-search-${++boxes}`;
    this.#list.id = id;
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', w.list);
    this.#list.hidden = this.#results.length === 0;
    this.#note.setAttribute('role', 'status');
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': String(!this.#list.hidden),
      'aria-controls': id,
      'aria-label': this.#options.label ?? this.#options.placeholder ?? w.placeholder,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      maxlength: '200',
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (!this.input.hasAttribute(name)) this.#attributes.push(name);
      this.input.setAttribute(name, value);
    }
    this.input.placeholder = this.#options.placeholder ?? w.placeholder;
  }

  #listen(box: HTMLElement): void {
    const { signal } = this.#listeners;
    this.input.addEventListener('input', () => this.#typed(), { signal });
    this.input.addEventListener('keydown', (e) => this.#key(e), { signal });
    this.input.addEventListener('focus', () => this.#reopen(), { signal });
    this.input.addEventListener(
      'blur',
      (e) => {
        // Not when the focus went to "try again" with the Tab key.
        if (!(e.relatedTarget instanceof Node && box.contains(e.relatedTarget))) this.#collapse();
      },
      { signal },
    );
    // The field keeps the focus while a suggestion is pressed, or it would close first.
    this.#list.addEventListener('pointerdown', (e) => e.preventDefault(), { signal });
    this.#list.addEventListener('mousedown', (e) => e.preventDefault(), { signal });
    this.#list.addEventListener(
      'click',
      (e) => {
        const option = (e.target as Element).closest('[role=option]');
        const i = option ? [...this.#list.children].indexOf(option) : -1;
        if (i >= 0) this.#pick(i);
      },
      { signal },
    );
  }

  #typed(): void {
    this.#stop();
    if (!this.input.value.trim()) {
      this.#close();
      this.emit('clear', {});
      return;
    }
    this.#timer = setTimeout(() => void this.search(), this.#options.debounce ?? 120);
  }

  #key(e: KeyboardEvent): void {
    if (e.isComposing) return;
    const open = !this.#list.hidden;
    if (e.key === 'ArrowDown' && !open) this.#reopen();
    else if (e.key === 'ArrowDown') this.#choose(this.#active + 1);
    else if (e.key === 'ArrowUp' && open) this.#choose(this.#active < 0 ? this.#results.length - 1 : this.#active - 1);
    else if (e.key === 'Enter') void this.#enter();
    else if (e.key === 'Escape' && open) this.#collapse();
    else if (e.key === 'Escape' && this.input.value) this.clear();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  /** Enter is often faster than the answer: it waits for the one to what stands there. */
  async #enter(): Promise<void> {
    const query = this.input.value.trim();
    if (!query) return;
    if (this.#active < 0 && this.#answered !== query) await this.search();
    if (this.input.value.trim() === query && this.#answered === query) this.#pick(Math.max(this.#active, 0));
  }

  #pick(i: number): void {
    const result = this.#results[i];
    if (!result) return;
    this.value = result.name;
    this.emit('pick', { result });
  }

  #choose(i: number): void {
    const n = this.#results.length;
    if (n === 0) return;
    this.#list.children[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = (i + n) % n;
    const option = this.#list.children[this.#active] as HTMLElement;
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', option.id);
  }

  #show(query: string, results: Result[]): Result[] {
    const w = words[this.#lang];
    this.#answered = query;
    this.#results = results;
    this.#active = -1;
    this.input.removeAttribute('aria-activedescendant');
    this.#list.replaceChildren(...results.map((r, i) => this.#option(r, i)));
    this.#expand(results.length > 0);
    this.#say(results.length ? w.found(results.length) : w.none, results.length > 0);
    this.emit('results', { query, results });
    return results;
  }

  #option(r: Result, i: number): HTMLElement {
    const text = element(
      'span',
      'svc-search-text',
      element('span', 'svc-search-name', r.name),
      element('span', 'svc-search-label', r.label),
    );
    const li = element('li', 'svc-search-option', this.#icons.icon(r.icon), text);
    if (r.distance) li.append(element('span', 'svc-search-distance', distanceText(r.distance, this.#lang)));
    li.id = `${this.#list.id}-${i}`;
    li.setAttribute('role', 'option');
    li.setAttribute('aria-selected', 'false');
    return li;
  }

  #fail(error: unknown): void {
    const w = words[this.#lang];
    const e = error instanceof SvcError ? error : new SvcError(0, String(error), 'failed');
    this.#results = [];
    this.#answered = '';
    this.#list.replaceChildren();
    this.#expand(false);
    const again = element('button', 'svc-search-retry', w.retry);
    again.type = 'button';
    again.addEventListener('mousedown', (down) => down.preventDefault());
    again.addEventListener('click', () => void this.search());
    this.#say(e.code === 'network' || e.code === 'timeout' ? w.failed : e.message, false);
    this.#note.append(' ', again);
    this.emit('error', { error: e });
  }

  /** Says something; quietly means to screen readers only. */
  #say(text: string, quietly: boolean): void {
    this.#note.classList.toggle('svc-search-quiet', quietly);
    this.#note.replaceChildren(text);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#asking = undefined;
    this.input.removeAttribute('aria-busy');
  }

  #expand(open: boolean): void {
    this.#list.hidden = !open;
    this.input.setAttribute('aria-expanded', String(open));
  }

  #collapse(): void {
    this.#expand(false);
    this.#choice(-1);
    this.#say('', true);
  }

  #choice(i: number): void {
    this.#list.children[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = i;
    this.input.removeAttribute('aria-activedescendant');
  }

  #reopen(): void {
    if (this.#answered && this.#answered === this.input.value.trim()) this.#expand(this.#results.length > 0);
    else if (this.input.value.trim() && this.#results.length === 0 && this.#answered) void this.search();
  }

  #close(): void {
    this.#results = [];
    this.#answered = '';
    this.#list.replaceChildren();
    this.#collapse();
  }
}
