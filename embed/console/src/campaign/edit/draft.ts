// A draft is saved as one goes: changes gather for a moment and go out together.
import { type ApiError, asApiError, type Body, call, detailsOf, get, queries, refresh, showProblem } from '@shell';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Campaign } from '../model';

export type Change = Body<'/campaigns/{id}', 'patch'>;

/** How long typing may pause before it is saved, in milliseconds. */
const pause = 600;

/** Two changes as one; message and audience are changed field by field. */
export function merged(a: Change, b: Change): Change {
  const out: Change = { ...a, ...b };
  if (a.message && b.message) out.message = { ...a.message, ...b.message };
  if (a.audience && b.audience) out.audience = { ...a.audience, ...b.audience };
  return out;
}

export type Saving = 'saved' | 'dirty' | 'saving' | 'failed';

export interface Draft {
  state: Saving;
  /** What the API says is wrong, by field. */
  errors: Readonly<Record<string, string>>;
  change: (c: Change) => void;
  /** Saves what waits; true when everything is saved. */
  flush: () => Promise<boolean>;
}

/** What each step of the editor is given. */
export interface StepProps {
  campaign: Campaign;
  draft: Draft;
}

export function useDraft(id: string): Draft {
  const [state, setState] = useState<Saving>('saved');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const waiting = useRef<Change>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<boolean>>(Promise.resolve(true));

  const send = useCallback(async (): Promise<boolean> => {
    const body = waiting.current;
    if (Object.keys(body).length === 0) return true;
    waiting.current = {};
    setState('saving');
    try {
      const now = await call('patch', '/campaigns/{id}', { path: { id }, body });
      queries.setQueryData(get('/campaigns/{id}', { path: { id } }).queryKey, now);
      setErrors({});
      setState(Object.keys(waiting.current).length > 0 ? 'dirty' : 'saved');
      void refresh('/campaigns/{id}/audience-preview', '/campaigns/{id}/rehearsal');
      return true;
    } catch (thrown) {
      const error: ApiError = asApiError(thrown);
      setErrors(detailsOf(error));
      setState('failed');
      // What was refused stays on screen; the next change sends it again when the network was at fault.
      if (error.passing) waiting.current = merged(body, waiting.current);
      if (Object.keys(error.details).length === 0) showProblem(error);
      return false;
    }
  }, [id]);

  const flush = useCallback((): Promise<boolean> => {
    clearTimeout(timer.current);
    running.current = running.current.then(send);
    return running.current;
  }, [send]);

  const change = useCallback(
    (c: Change) => {
      waiting.current = merged(waiting.current, c);
      setState('dirty');
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), pause);
    },
    [flush],
  );

  useEffect(() => {
    const leaving = (e: BeforeUnloadEvent) => {
      if (Object.keys(waiting.current).length > 0) e.preventDefault();
    };
    addEventListener('beforeunload', leaving);
    return () => {
      removeEventListener('beforeunload', leaving);
      void flush(); // another page: what was typed is not lost
    };
  }, [flush]);

  return { state, errors, change, flush };
}
