// Errors in the language of the person: by their code where we have words, else the
// sentence of the API.
import i18next from 'i18next';
import type { ApiError } from '../api/error';

export function sentenceOf(error: ApiError): { title: string; message: string } {
  const t = i18next.getFixedT(null, 'shell');
  const known = `errors.${error.code}`;
  const fields = Object.entries(error.details).map(([field, what]) => `${field}: ${what}`).join('; ');
  const base = i18next.exists(known, { ns: 'shell' }) ? t(known as never) : error.message;
  const wait = error.retryAfter ? ` ${t('errors.wait', { count: error.retryAfter })}` : '';
  return { title: t(error.lost ? 'errors.offlineTitle' : 'errors.title'), message: `${base}${fields && ` ${fields}.`}${wait}` };
}
