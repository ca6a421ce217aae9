/** What a browser remembers for a person. Storage may be forbidden; the page then forgets and still works. */

export type UiLang = 'uz' | 'ru' | 'en';
export type Theme = 'light' | 'dark' | 'system';

/** Looks of the map: styles of the server without their dark halves. */
export type Look = 'light' | 'natural' | 'muted' | 'gray' | 'toner';

export const looks: readonly Look[] = ['light', 'natural', 'muted', 'gray', 'toner'];

export const langs: readonly UiLang[] = ['uz', 'ru', 'en'];
export const themes: readonly Theme[] = ['system', 'light', 'dark'];

const prefix = 'svc.map.';

function read(name: string): string {
  try {
    return localStorage.getItem(prefix + name) ?? '';
  } catch {
    return '';
  }
}

function write(name: string, value: string): void {
  try {
    if (value) localStorage.setItem(prefix + name, value);
    else localStorage.removeItem(prefix + name);
  } catch {
    // forgotten
  }
}

function oneOf<T extends string>(list: readonly T[], text: string): T | undefined {
  return list.find((v) => v === text);
}

export const prefs = {
  get lang(): UiLang {
    const wanted = navigator.languages.map((l) => oneOf(langs, l.slice(0, 2))).find(Boolean);
    return oneOf(langs, read('lang')) ?? wanted ?? 'uz';
  },
  set lang(v: UiLang) {
    write('lang', v);
  },
  get theme(): Theme {
    return oneOf(themes, read('theme')) ?? 'system';
  },
  set theme(v: Theme) {
    write('theme', v);
  },
  get look(): Look {
    return oneOf(looks, read('look')) ?? 'light';
  },
  set look(v: Look) {
    write('look', v);
  },
  get key(): string {
    return read('key');
  },
  set key(v: string) {
    write('key', v);
  },
};

const darkSystem = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

/** isDark tells which of the two looks a theme means now. */
export function isDark(theme: Theme): boolean {
  return theme === 'dark' || (theme === 'system' && Boolean(darkSystem?.matches));
}

/** styleOf is the style of a look in light or dark: ten in all. */
export function styleOf(look: Look, dark: boolean) {
  if (look === 'light') return dark ? 'dark' : 'light';
  return dark ? (`${look}-dark` as const) : look;
}

/** onSystemTheme calls fn when the system turns light or dark. */
export function onSystemTheme(fn: () => void): void {
  darkSystem?.addEventListener('change', fn);
}
