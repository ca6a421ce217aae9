// Words. Each folder of src has its own file a language, which is a namespace of
// i18next by the folder's name and loaded with what uses it. The words of the frame, and the key
// "nav" of every file (names of pages and commands), are in the first load in every language: to
// ask for one of them would cost a slow line more than the others weigh.
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import first from 'virtual:nav';

export const languages = ['uz', 'ru', 'en'] as const;
export type Language = (typeof languages)[number];

/** The names of the languages in themselves. */
export const languageNames: Record<Language, string> = { uz: 'Oʻzbekcha', ru: 'Русский', en: 'English' };

/** How Intl writes dates and numbers in them. */
const locales: Record<Language, string> = { uz: 'uz-Latn-UZ', ru: 'ru-RU', en: 'en-GB' };

const files = import.meta.glob<{ default: Record<string, unknown> }>(['/src/*/locales/*.json', '/src/shell/codes/locales/*.json']);

const stored = 'svc.language';

const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, callback) {
    const load = files[`/src/${namespace}/locales/${language}.json`];
    if (!load) return callback(new Error(`no words: ${namespace} in ${language}`), false);
    load().then(
      (m) => callback(null, m.default as never),
      (e: Error) => callback(e, false),
    );
  },
};

/** The language that a person chose, else that of the browser, else Uzbek. */
export function preferred(): Language {
  const known = (name: string | null | undefined) => languages.find((l) => l === name?.slice(0, 2).toLowerCase());
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(stored);
  } catch {
    // A browser that keeps nothing asks again.
  }
  return known(kept) ?? navigator.languages.map(known).find(Boolean) ?? 'uz';
}

/** Loads the words of the frame; call it before the first render. */
export async function startLanguage(language: Language = preferred()): Promise<void> {
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      supportedLngs: languages,
      resources: first,
      ns: ['shell/frame', 'nav'],
      defaultNS: 'shell',
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
      returnNull: false,
      react: { useSuspense: true },
    });
  adopt(language);
}

/** Changes the language at once, everywhere, and remembers it. */
export async function setLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(stored, language);
  } catch {
    // It holds until the tab is closed.
  }
  await Promise.all([i18next.changeLanguage(language), loadCalendar(language)]);
  adopt(language);
}

/** Brings the words of a folder into the browser before somebody asks for them. */
export function fetchWords(namespace: string, language: Language = preferred()): Promise<unknown> {
  return files[`/src/${namespace}/locales/${language}.json`]?.() ?? Promise.resolve();
}

function adopt(language: Language): void {
  document.documentElement.lang = language;
}

/** Mantine's calendars speak through dayjs: whoever shows one waits for its language. */
export async function loadCalendar(language: Language = currentLanguage()): Promise<void> {
  if (language === 'uz') await import('dayjs/locale/uz-latn');
  if (language === 'ru') await import('dayjs/locale/ru');
}

/** The language of now. */
export function currentLanguage(): Language {
  return languages.find((l) => l === i18next.language) ?? 'uz';
}

export const dayjsLocale = (l: Language): string => (l === 'uz' ? 'uz-latn' : l);
export const localeOf = (l: Language): string => locales[l];
