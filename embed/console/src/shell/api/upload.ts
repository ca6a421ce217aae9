// Sending files. XMLHttpRequest and not fetch, which cannot tell how much was sent.
import { gate } from '../session/gate';
import type { Answer, PathOf } from './client';
import { ApiError, problemOf } from './error';

export interface UploadOptions {
  /** How much was sent, from 0 to 1. */
  onSent?: (share: number) => void;
  signal?: AbortSignal;
}

/** Sends a form with a file. It gives the answer, or throws an ApiError; a lost session waits for sign-in. */
export async function upload<P extends PathOf<'post'>>(path: P, form: FormData, o: UploadOptions = {}): Promise<Answer<P, 'post'>> {
  for (;;) {
    const response = await send(`/api/v1${path as string}`, form, o);
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return body as Answer<P, 'post'>;
    if (response.status !== 401 || !gate.armed) throw problemOf(response, body);
    await gate.passed();
  }
}

function send(url: string, form: FormData, o: UploadOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', url);
    xhr.upload.onprogress = (e) => e.lengthComputable && o.onSent?.(e.loaded / e.total);
    xhr.onload = () => resolve(new Response(xhr.responseText || null, { status: xhr.status, headers: headersOf(xhr) }));
    xhr.onerror = () => reject(new ApiError({ code: 'network', message: 'No connection to the server.' }));
    xhr.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    o.signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}

/** The headers that problemOf reads. */
function headersOf(xhr: XMLHttpRequest): Headers {
  const out = new Headers();
  for (const name of ['Retry-After', 'X-Request-Id']) {
    const value = xhr.getResponseHeader(name);
    if (value) out.set(name, value);
  }
  return out;
}
