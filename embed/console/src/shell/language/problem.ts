// Errors in the language of the person: by what they say where that names values, else
// by their code where we have words, else the sentence of the API.
import i18next from 'i18next';
import type { ApiError } from '../api/error';

/** The words that come with the first page (codes/index.ts). */
interface Codes {
  said: (message: string) => string | undefined;
  error: (code: string) => string | undefined;
  wrong: (sentence: string) => string;
  name: (field: string) => string;
}

let codes: Codes | undefined;
export const teach = (c: Codes): void => {
  codes = c;
};

/** What an administrator wrote for the time of maintenance stands beside our own words. */
const ownWords = 'The service is in maintenance: reading works, changes wait.';

export function sentenceOf(error: ApiError): { title: string; message: string } {
  const t = i18next.getFixedT(null, 'shell');
  const known = `errors.${error.code}`;
  const first = i18next.exists(known, { ns: 'shell' }) ? t(known as never) : undefined;
  const base = codes?.said(error.message) ?? first ?? codes?.error(error.code) ?? error.message;
  const more = error.code === 'maintenance_mode' && error.message !== ownWords ? ` ${error.message}` : '';
  const fields = Object.entries(detailsOf(error))
    .map(([field, what]) => ` ${codes?.name(field) ?? field}: ${what}`)
    .join('');
  const wait = error.retryAfter ? ` ${t('errors.wait', { count: error.retryAfter })}` : '';
  return { title: t(error.lost ? 'errors.offlineTitle' : 'errors.title'), message: `${base}${more}${fields}${wait}` };
}

/** What is wrong with each field, in the language of the person. */
export function detailsOf(error: Pick<ApiError, 'details'>): Record<string, string> {
  return Object.fromEntries(Object.entries(error.details).map(([field, what]) => [field, codes?.wrong(what) ?? what]));
}
