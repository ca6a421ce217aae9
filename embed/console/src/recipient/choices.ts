// The values that the API knows, with their words.
import type { TFunction } from 'i18next';
import type { Recipient } from './name';

export const consents = [
  'OPTED_IN',
  'AUTHORIZED',
  'EXISTING_RELATIONSHIP',
  'UNKNOWN',
  'OPTED_OUT',
] as const satisfies readonly Recipient['consent_status'][];
/** Those that a person may be given; opting out is an act of its own. */
export const grantable = consents.filter((c) => c !== 'OPTED_OUT');
export type Grantable = Exclude<Recipient['consent_status'], 'OPTED_OUT'>;
export const sources = ['CSV', 'JSON', 'API', 'MANUAL', 'CRM'] as const satisfies readonly Recipient['source'][];
export const languages = ['uz', 'ru', 'en', 'kaa', 'tg', 'kk'] as const;

type T = TFunction<'recipient'>;

export const consentOptions = (t: T, values: readonly Recipient['consent_status'][] = consents) =>
  values.map((value) => ({ value, label: t(`consent.${value}`) }));
export const sourceOptions = (t: T) => sources.map((value) => ({ value, label: t(`source.${value}`) }));
export const languageOptions = (t: T) => languages.map((value) => ({ value, label: t(`language.${value}`) }));
export const yesNo = (t: T, key: 'suppressed' | 'conversation') =>
  (['true', 'false'] as const).map((value) => ({ value, label: t(`filter.${key}.${value}`) }));

/** A language by its name; a code that we have no word for as it is. */
export function languageName(t: T, code: string): string {
  return (languages as readonly string[]).includes(code) ? t(`language.${code as (typeof languages)[number]}`) : code;
}
