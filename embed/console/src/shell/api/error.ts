// One shape for everything that can go wrong with a request.

export interface Problem {
  code: string;
  message: string;
  details?: Record<string, string>;
  status?: number;
  requestId?: string | null;
  /** Seconds to wait before the next try. */
  retryAfter?: number | null;
}

/** What a request failed with. Code is stable and for programs, message a sentence. */
export class ApiError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, string>>;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor(p: Problem) {
    super(p.message);
    this.name = 'ApiError';
    this.code = p.code;
    this.details = p.details ?? {};
    this.status = p.status ?? 0;
    this.requestId = p.requestId ?? null;
    this.retryAfter = p.retryAfter ?? null;
  }

  /** No answer arrived: nobody knows whether the change happened. */
  get lost(): boolean {
    return this.status === 0;
  }

  /** Another try of the same may succeed. */
  get passing(): boolean {
    return this.lost || this.status >= 500 || this.status === 429;
  }
}

/** Reads the envelope {"error":{…}} of a refusal; a proxy's own page has none. */
export function problemOf(response: Response, body: unknown): ApiError {
  const error = (body as { error?: Partial<Problem> } | undefined)?.error;
  const wait = Number(response.headers.get('Retry-After'));
  return new ApiError({
    code: error?.code ?? 'unreadable_answer',
    message: error?.message ?? `HTTP ${response.status}`,
    details: error?.details,
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfter: Number.isFinite(wait) && wait > 0 ? wait : null,
  });
}

/** Anything that was thrown as an ApiError. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof TypeError) return new ApiError({ code: 'network', message: 'No connection to the server.' });
  return new ApiError({ code: 'console_failed', message: thrown instanceof Error ? thrown.message : String(thrown), status: -1 });
}
