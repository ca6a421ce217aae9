import type { TFunction } from 'i18next';

export const formats = ['PLAIN', 'MARKDOWN', 'HTML'] as const;
export type Format = (typeof formats)[number];
export const languages = ['uz', 'ru', 'en', 'kaa', 'tg', 'kk'] as const;

/** A language by its name; a code that we have no word for as it is. */
export function languageName(t: TFunction<'content'>, code: string): string {
  return (languages as readonly string[]).includes(code) ? t(`languages.${code as (typeof languages)[number]}`) : code;
}

/** The most files that a message carries, and the most of them in bytes (contract 47). */
export const maxFiles = 10;
export const maxFile = 20 * 1024 * 1024;
export const maxPhoto = 10 * 1024 * 1024;
