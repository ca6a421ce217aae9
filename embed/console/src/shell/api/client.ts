// The one way to the API. Paths, parameters, bodies and answers have the types of our
// own OpenAPI document (schema.d.ts, made by the build).
import createClient from 'openapi-fetch';
import { gate } from '../session/gate';
import { refusedAsSupport } from '../session/support';
import { ApiError, asApiError, problemOf } from './error';
import type { components, paths } from './schema';

/** The records of the API, as in Schema<'RecipientShownRecipient'>. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** The paths that have an operation of that method. */
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type Json<C> = C extends { 'application/json': infer B } ? B : undefined;
type Content<R> = R extends { content: infer C } ? Json<C> : undefined;
type Success = 200 | 201 | 202 | 204;
/** What an operation answers. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R } ? { [S in keyof R]: S extends Success ? Content<R[S]> : never }[keyof R] : never;
type Part<P extends keyof paths, M extends Method, K extends 'path' | 'query'> =
  Operation<P, M> extends { parameters: infer Q } ? (K extends keyof Q ? Q[K] : never) : never;
export type PathParams<P extends keyof paths, M extends Method> = Part<P, M, 'path'>;
export type Query<P extends keyof paths, M extends Method> = NonNullable<Part<P, M, 'query'>>;
export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer B } ? (NonNullable<B> extends { content: infer C } ? Json<C> : never) : never;

type WithPath<P extends keyof paths, M extends Method> = [PathParams<P, M>] extends [undefined]
  ? { path?: undefined }
  : PathParams<P, M> extends object
    ? { path: PathParams<P, M> }
    : { path?: undefined };
type WithBody<P extends keyof paths, M extends Method> = [Body<P, M>] extends [undefined] ? { body?: undefined } : { body: Body<P, M> };
/** What goes with a request. */
export type Input<P extends keyof paths, M extends Method> = WithPath<P, M> &
  WithBody<P, M> & { query?: Query<P, M>; key?: string; signal?: AbortSignal };

const client = createClient<paths>({
  baseUrl: '/api/v1',
  fetch: throughGate,
  querySerializer: { array: { style: 'form', explode: true } },
});

/** Sign-in has refusals of its own; they must not open it again. */
const ownRefusals = ['/auth/', '/invitations/accept'];

/**
 * A request that finds the session gone waits until somebody has signed in, and is
 * sent again: what was typed is not lost, and what was pressed happens once.
 */
async function throughGate(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname;
  for (;;) {
    const response = await fetch(request.clone());
    if (response.status !== 401 || ownRefusals.some((own) => path.includes(own)) || !gate.armed) return response;
    await gate.passed();
  }
}

type Raw = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Sends a request. It gives the answer, or throws an ApiError. */
export async function call<M extends Method, P extends PathOf<M>>(method: M, path: P, input: Input<P, M>): Promise<Answer<P, M>> {
  const {
    path: params,
    query,
    body,
    key,
    signal,
  } = input as { path?: object; query?: object; body?: unknown; key?: string; signal?: AbortSignal };
  // The types were checked on the way in; openapi-fetch would want them literally.
  const send = client[method.toUpperCase() as 'GET'] as unknown as Raw;
  try {
    const init = { params: { path: params, query, header: key ? { 'Idempotency-Key': key } : undefined }, body, signal };
    const { data, error, response } = await send(path as string, init);
    if (!response.ok) throw problemOf(response, { error: (error as { error?: object } | undefined)?.error });
    return data as Answer<P, M>;
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    const error = asApiError(thrown);
    refusedAsSupport.hear(error.code);
    throw error;
  }
}

export { ApiError };
