import { answerError, errorCode, SvcError } from '../client/error';
import type { MapEvents } from './types';

interface GlError {
  error?: { status?: number; url?: string; message?: string; body?: unknown };
}

/** A refusal is a sentence; a page of a proxy is not read. */
const longest = 2000;

/** explain is loadError with the reason that the server gave, if it gave one. */
export async function explain(event: GlError): Promise<MapEvents['error']> {
  const told = loadError(event);
  const { status = 0, body } = event.error ?? {};
  if (status < 400 || !(body instanceof Blob) || body.size > longest) return told;
  const { code, message, retryAfter } = await answerError(new Response(body, { status }));
  if (/^HTTP \d+$/.test(message)) return told;
  // Whether a key was sent is known here; the code says what the refusal means.
  return { what: told.what, error: new SvcError(status, message, status === 401 ? told.error.code : code, retryAfter) };
}

/**
 * loadError turns what MapLibre reports into our error. MapLibre's message names
 * the address with its key, so it is dropped when there is an address.
 */
export function loadError(event: GlError): MapEvents['error'] {
  const { status = 0, url = '', message = '' } = event.error ?? {};
  const what = kind(url);
  if (status) {
    const text = status === 401 ? 'the server wants a valid API key' : `HTTP ${status}`;
    const code = status === 401 && !/[?&]key=[^&]/.test(url) ? 'missing_key' : errorCode(status, '', false);
    return { what, error: new SvcError(status, text, code) };
  }
  if (url || /failed to fetch|networkerror|load failed/i.test(message)) {
    return { what, error: new SvcError(0, 'the server does not answer', 'network') };
  }
  return { what, error: new SvcError(0, message.replace(/([?&]key=)[^&\s"]*/g, '$1…'), 'failed') };
}

function kind(url: string): MapEvents['error']['what'] {
  const path = url.replace(/[?#].*$/, '');
  if (/\/styles\//.test(path)) return 'style';
  if (/\/(tiles|terrain)\//.test(path)) return 'tiles';
  if (/\/fonts\//.test(path)) return 'fonts';
  if (/\/sprites\//.test(path)) return 'sprites';
  return 'other';
}
