// The map service: its paths are beside those of the messaging service, and its
// answers are described in the map contract.
import { useQuery } from '@tanstack/react-query';
import { currentLanguage } from '@shell';
import { ApiError, asApiError } from '@shell/api/error';
import { mapKey, useMapKey } from './key';
import type { Place, Result, Reverse, RouteAnswer, Status, StyleInfo, Usage } from './types';

/** What each path answers. */
interface Answers {
  '/api/status': Status;
  '/api/autocomplete': { results: Result[] };
  '/api/search': { results: Result[] };
  '/api/reverse': Reverse;
  '/api/route': RouteAnswer;
  '/api/usage': Usage;
  '/styles/styles.json': StyleInfo[];
}
type Path = keyof Answers | `/api/place/${number}`;
type AnswerOf<P extends Path> = P extends keyof Answers ? Answers[P] : Place;
type Params = Record<string, string | number | undefined>;

/** Where something of the map is, with the key of this tab. */
export function address(path: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [k, v] of Object.entries(params)) if (v !== undefined) query.set(k, String(v));
  const text = query.toString();
  return path + (text && `?${text}`);
}

/** Asks the map service. Refusals of its gate and of its handlers become one shape. */
export async function ask<P extends Path>(path: P, params: Params = {}, signal?: AbortSignal): Promise<AnswerOf<P>> {
  const key = mapKey();
  const response = await fetch(address(path, params), { signal, headers: key ? { 'X-API-Key': key } : {} }).catch((thrown: unknown) => {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw asApiError(thrown);
  });
  const body = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  if (response.ok) return body as AnswerOf<P>;
  const wait = Number(response.headers.get('Retry-After'));
  throw new ApiError({
    code: `map_${response.status}`,
    message: body.message ?? body.error ?? `HTTP ${response.status}`,
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfter: wait > 0 ? wait : null,
  });
}

/** Reads something of the map service; another key, or another language, asks again. */
export function useMap<P extends Path>(path: P, params: Params = {}, o: { enabled?: boolean; keep?: boolean } = {}) {
  const key = useMapKey();
  return useQuery<AnswerOf<P>, ApiError>({
    queryKey: [`map ${path}`, params, key],
    queryFn: ({ signal }) => ask(path, params, signal),
    enabled: o.enabled ?? true,
    placeholderData: o.keep ? (before: unknown) => before as never : undefined,
  });
}

export const lang = currentLanguage;
