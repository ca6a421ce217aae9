import type { TFunction } from 'i18next';

export const languages = ['uz', 'ru', 'en', 'kaa', 'tg', 'kk'] as const;

/** A language by its name; a code that we have no word for as it is. */
export function languageName(t: TFunction<'content'>, code: string): string {
  return (languages as readonly string[]).includes(code) ? t(`languages.${code as (typeof languages)[number]}`) : code;
}
