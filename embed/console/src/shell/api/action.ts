// Changing: useAction sends one request at a time, with a key of its own, so that a
// double click or a repeat after a lost answer never does anything twice.
import { useRef, useState } from 'react';
import { detailsOf } from '../language/problem';
import { showDone, showProblem } from '../page/notify';
import { type Answer, call, type Input, type Method, type PathOf } from './client';
import { type ApiError, asApiError } from './error';
import { type Cache, Optimistic } from './cache';
import { queries, refresh } from './query';

/** What an action does with a form of @mantine/form. */
interface FormOf {
  setErrors: (errors: Record<string, string>) => void;
  getValues?: () => object;
  resetDirty?: (values: never) => void;
}

interface Options<A, I> {
  /** Fields that the API names as wrong are shown here. What was sent of it counts as saved; what was typed meanwhile does not. */
  form?: FormOf;
  /** Paths whose answers the change makes stale. */
  stale?: readonly string[];
  /** Shows at once what the change will make of the answers. It is taken back, with the problem said, when the change is refused. */
  now?: (input: I, cache: Cache) => void;
  /** A sentence for the person when it is done; silent without. */
  done?: string | ((answer: A) => string);
  then?: (answer: A) => void;
  /** Says true when the error is dealt with. */
  failed?: (error: ApiError) => boolean;
}

/** Random enough for a key of ours; randomUUID is missing where a page came over plain HTTP. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
}

/** The key of one intent: kept while nobody knows whether it happened, new otherwise. */
export class IntentKey {
  private body = '';
  private key = '';

  of(input: unknown): string {
    const body = JSON.stringify(input);
    if (this.key === '' || body !== this.body) this.key = newKey();
    this.body = body;
    return this.key;
  }

  settled(error?: ApiError): void {
    if (!error?.passing) this.key = '';
  }
}

/** A change that a person causes. */
export function useAction<M extends Exclude<Method, 'get'>, P extends PathOf<M>>(
  method: M,
  path: P,
  o: Options<Answer<P, M>, Input<P, M>> = {},
) {
  const [pending, setPending] = useState(false);
  const running = useRef(new Set<string>());
  const intents = useRef(new Map<string, IntentKey>());

  async function run(input: Input<P, M>): Promise<Answer<P, M> | undefined> {
    // A second click while the first is on its way. What is shown at once may be done to several things together.
    const same = o.now ? JSON.stringify(input) : '';
    if (running.current.has(same)) return undefined;
    running.current.add(same);
    setPending(true);
    const intent = intents.current.get(same) ?? new IntentKey();
    intents.current.set(same, intent);
    const shown = o.now && new Optimistic(queries);
    const sent = o.form?.getValues?.();
    try {
      shown?.apply((cache) => o.now?.(input, cache));
      const key = method === 'post' ? intent.of(input) : undefined;
      const answer = await call(method, path, { ...input, key });
      intent.settled();
      intents.current.delete(same);
      if (!shown && o.stale) void refresh(...o.stale);
      if (o.done) showDone(typeof o.done === 'function' ? o.done(answer) : o.done);
      if (sent) o.form?.resetDirty?.(sent as never);
      o.then?.(answer);
      return answer;
    } catch (thrown) {
      const error = asApiError(thrown);
      intent.settled(error);
      shown?.undo();
      if (!o.failed?.(error) && !showFields(error, o.form)) showProblem(error, () => void run(input));
      return undefined;
    } finally {
      shown?.settle(o.stale ?? [], refresh);
      running.current.delete(same);
      setPending(running.current.size > 0);
    }
  }
  return { run, pending };
}

/** Puts what is wrong with fields beside them. It says false when there is nothing to show there. */
function showFields(error: ApiError, form: Options<unknown, never>['form']): boolean {
  if (!form || Object.keys(error.details).length === 0) return false;
  form.setErrors(detailsOf(error));
  return true;
}
