import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client } from '../src/client/client';
import { SearchBox } from '../src/map/searchbox';
import { json, never, result, server, type Call } from './server';

const found = [result(1, 'Chorsu', { distance: 1234 }), result(2, 'Choyxona', { distance: 80 }), result(3, 'Chilonzor')];

let box: SearchBox;
let made: ReturnType<typeof server>;

function attach(
  answer: (call: Call) => Response | Promise<Response> = () => json({ query: 'x', results: found, took_ms: 1 }),
  options = {},
) {
  document.body.innerHTML = '<div id="box"></div><button id="after">after</button>';
  made = server(answer);
  const client = new Client({ baseUrl: 'https://maps.example', fetch: made.fetch, lang: 'en' });
  box = new SearchBox(client, '#box', options);
}

const list = () => document.querySelector<HTMLElement>('[role=listbox]')!;
const options = () => [...document.querySelectorAll<HTMLElement>('[role=option]')];
const note = () => document.querySelector<HTMLElement>('[role=status]')!.textContent;
const chosen = () => options().findIndex((o) => o.getAttribute('aria-selected') === 'true');
const searches = () => made.calls.filter((c) => c.url.pathname === '/api/autocomplete');

function type(text: string): void {
  box.input.value = text;
  box.input.dispatchEvent(new Event('input', { bubbles: true }));
}

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const e = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  box.input.dispatchEvent(e);
  return e;
}

const settle = () => vi.advanceTimersByTimeAsync(130);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', never); // the sheet of icons
});

afterEach(() => {
  box.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('asking', () => {
  it('waits for 120 ms of silence', async () => {
    attach();
    type('c');
    await vi.advanceTimersByTimeAsync(100);
    type('ch');
    await vi.advanceTimersByTimeAsync(119);
    expect(searches()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(2);
    expect(searches().map((c) => c.url.searchParams.get('q'))).toEqual(['ch']);
  });

  it('gives up the search before', async () => {
    attach(never);
    type('ch');
    await settle();
    type('cho');
    await settle();
    expect(searches().map((c) => c.init.signal!.aborted)).toEqual([true, false]);
  });

  it('shows no answer to words that were replaced', async () => {
    const answers: ((r: Response) => void)[] = [];
    attach(() => new Promise((resolve) => answers.push(resolve)));
    type('first');
    await settle();
    type('second');
    await settle();
    answers[1]!(json({ query: 'second', results: [found[1]], took_ms: 1 }));
    await settle();
    answers[0]!(json({ query: 'first', results: found, took_ms: 1 }));
    await settle();
    expect(options()).toHaveLength(1);
  });

  it('remembers answers', async () => {
    attach();
    for (const text of ['cho', 'chor', 'cho']) {
      type(text);
      await settle();
    }
    expect(searches()).toHaveLength(2);
    expect(options()).toHaveLength(3);
  });

  it('sends the reference point and the options', async () => {
    attach(undefined, { near: () => [41, 69], limit: 99, kinds: ['place'] });
    type('x');
    await settle();
    const { lat, lon, limit, kinds, lang } = Object.fromEntries(searches()[0]!.url.searchParams);
    expect({ lat, lon, limit, kinds, lang }).toEqual({ lat: '41', lon: '69', limit: '12', kinds: 'place', lang: 'en' });
  });

  it('asks nothing for spaces, and says that the field is empty', async () => {
    attach();
    const cleared = vi.fn();
    box.on('clear', cleared);
    type('   ');
    await settle();
    expect(searches()).toHaveLength(0);
    expect(cleared).toHaveBeenCalledTimes(1);
  });
});

describe('showing', () => {
  it('is a combobox', async () => {
    attach();
    expect(box.input.getAttribute('role')).toBe('combobox');
    expect(box.input.getAttribute('aria-controls')).toBe(list().id);
    expect(box.input.getAttribute('aria-expanded')).toBe('false');
    expect(list().hidden).toBe(true);
    type('ch');
    await settle();
    expect(box.input.getAttribute('aria-expanded')).toBe('true');
    expect(list().hidden).toBe(false);
    expect(note()).toBe('3 results');
    expect(options()[0]!.textContent).toContain('Chorsu');
    expect(options()[0]!.textContent).toContain('1.2 km');
    expect(options()[1]!.textContent).toContain('80 m');
  });

  it('shows names as text, never as markup', async () => {
    attach(() => json({ query: 'x', results: [result(1, '<img src=x onerror=alert(1)>')], took_ms: 1 }));
    type('x');
    await settle();
    expect(list().querySelector('img')).toBeNull();
    expect(options()[0]!.textContent).toContain('<img');
  });

  it('says that nothing was found', async () => {
    attach(() => json({ query: 'x', results: [], took_ms: 1 }));
    type('x');
    await settle();
    expect(list().hidden).toBe(true);
    expect(note()).toBe('Nothing found');
  });

  it('says what failed and tries again', async () => {
    let n = 0;
    attach(() => (n++ ? json({ query: 'x', results: found, took_ms: 1 }) : Promise.reject(new TypeError('down'))));
    const failed = vi.fn();
    box.on('error', failed);
    type('x');
    await settle();
    expect(note()).toContain('The server did not answer');
    expect(failed.mock.calls[0]![0].error.code).toBe('network');
    document.querySelector<HTMLElement>('.svc-search-retry')!.click();
    await settle();
    expect(options()).toHaveLength(3);
  });
});

describe('keys', () => {
  const open = async () => {
    attach();
    type('ch');
    await settle();
  };

  it('arrows go round', async () => {
    await open();
    press('ArrowDown');
    expect(chosen()).toBe(0);
    expect(box.input.getAttribute('aria-activedescendant')).toBe(options()[0]!.id);
    press('ArrowUp');
    expect(chosen()).toBe(2);
    press('ArrowDown');
    press('ArrowDown');
    expect(chosen()).toBe(1);
  });

  it('Enter takes the chosen one, or the best', async () => {
    await open();
    const picked = vi.fn();
    box.on('pick', (e) => picked(e.result.name));
    press('ArrowDown');
    press('ArrowDown');
    press('Enter');
    await settle();
    expect(picked).toHaveBeenLastCalledWith('Choyxona');
    expect(box.value).toBe('Choyxona');
    expect(list().hidden).toBe(true);
    type('ch');
    await settle();
    press('Enter');
    await settle();
    expect(picked).toHaveBeenLastCalledWith('Chorsu');
  });

  it('Enter before the answer waits for it', async () => {
    attach();
    const picked = vi.fn();
    box.on('pick', (e) => picked(e.result.name));
    type('ch');
    press('Enter');
    await settle();
    expect(picked.mock.calls).toEqual([['Chorsu']]);
    expect(searches()).toHaveLength(1);
  });

  it('Escape closes, then empties', async () => {
    await open();
    const cleared = vi.fn();
    box.on('clear', cleared);
    expect(press('Escape').defaultPrevented).toBe(true);
    expect(list().hidden).toBe(true);
    expect(box.value).toBe('ch');
    press('Escape');
    expect(box.value).toBe('');
    expect(cleared).toHaveBeenCalledTimes(1);
    expect(press('Escape').defaultPrevented, 'a third one is for the page').toBe(false);
  });

  it('leaves keys of an input method alone', async () => {
    await open();
    press('Enter', { isComposing: true });
    await settle();
    expect(list().hidden).toBe(false);
  });

  it('arrow down opens the list again', async () => {
    await open();
    press('Escape');
    press('ArrowDown');
    expect(list().hidden).toBe(false);
  });
});

it('a press takes a suggestion and keeps the focus until then', async () => {
  attach();
  const picked = vi.fn();
  box.on('pick', (e) => picked(e.result.id));
  type('ch');
  await settle();
  const down = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  options()[2]!.dispatchEvent(down);
  expect(down.defaultPrevented).toBe(true);
  options()[2]!.querySelector('span')!.click();
  expect(picked.mock.calls).toEqual([[3]]);
});

it('takes over an input and gives it back', () => {
  document.body.innerHTML = '<input id="mine" class="own">';
  const input = document.querySelector<HTMLInputElement>('#mine')!;
  made = server(never);
  box = new SearchBox(new Client({ baseUrl: 'https://maps.example', fetch: made.fetch }), input);
  expect(box.input).toBe(input);
  expect(input.getAttribute('role')).toBe('combobox');
  box.remove();
  expect(document.body.innerHTML.replace(/ placeholder="[^"]*"/, '')).toBe('<input id="mine" class="own">');
});
