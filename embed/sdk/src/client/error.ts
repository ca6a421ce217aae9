/**
 * What went wrong, as a word that a program can compare:
 *
 * - `missing_key`, `unknown_key`: 401, the server wants a key or does not know it
 * - `forbidden`: 403, the key is disabled or not for this origin
 * - `rate_limited`, `quota`: 429, try again in a moment, or next month
 * - `bad_request`, `not_found`: the request was wrong
 * - `unavailable`: 503, the server has no index or no routing engine
 * - `upstream`: 502, the routing engine or the photo host said no
 * - `timeout`, `network`: no answer came
 * - `failed`: anything else
 */
export type ErrorCode =
  | 'missing_key'
  | 'unknown_key'
  | 'forbidden'
  | 'rate_limited'
  | 'quota'
  | 'bad_request'
  | 'not_found'
  | 'unavailable'
  | 'upstream'
  | 'timeout'
  | 'network'
  | 'failed';

/** Every failure of the client except an abort by its caller. It never holds the key. */
export class SvcError extends Error {
  override readonly name = 'SvcError';
  /** HTTP status, 0 when no answer came. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Seconds after which a new attempt makes sense, when the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, code: ErrorCode, retryAfter?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** isAbort tells a request that its caller gave up from one that failed. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** errorCode finds the word for a refusal. */
export function errorCode(status: number, message: string, quota: boolean): ErrorCode {
  switch (status) {
    case 400:
      return 'bad_request';
    case 401:
      return /^missing/.test(message) ? 'missing_key' : 'unknown_key';
    case 403:
      return 'forbidden';
    case 404:
      return 'not_found';
    case 429:
      return quota ? 'quota' : 'rate_limited';
    case 502:
      return 'upstream';
    case 503:
      return 'unavailable';
    default:
      return 'failed';
  }
}

/** answerError reads the body of a refusal: the gate's, a handler's, or a proxy's page. */
export async function answerError(response: Response): Promise<SvcError> {
  let message = '';
  let quota = false;
  try {
    const body: unknown = await response.json();
    if (body && typeof body === 'object') {
      const b = body as Record<string, unknown>;
      message = String(b['message'] ?? b['error'] ?? '');
      quota = 'quota' in b;
    }
  } catch {
    // Plain text, or a page of something in between: the status says enough.
  }
  const seconds = Number(response.headers.get('Retry-After') || NaN);
  return new SvcError(
    response.status,
    message || `HTTP ${response.status}`,
    errorCode(response.status, message, quota),
    Number.isFinite(seconds) ? seconds : undefined,
  );
}
