import { errorCode, SvcError } from '../client/error';
import type { MapEvents } from './types';

interface GlError {
  error?: { status?: number; url?: string; message?: string };
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
