// What happens elsewhere changes what is on screen.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { cacheOf } from '../api/cache';
import { queries, refresh } from '../api/query';
import { useMe } from '../session/me';
import { Refetcher } from './refetch';
import { apply, type EventRule } from './rules';
import { follow, type StreamEvent, type StreamState } from './stream';
import type { EventType } from './types';

type Handler = (e: StreamEvent) => void;
interface Bus {
  state: StreamState;
  subscribe(h: Handler): () => void;
}

const Context = createContext<Bus>({ state: 'waiting', subscribe: () => () => {} });

/** Follows the organization that is active. */
export function Events({ rules, children }: { rules: readonly EventRule[]; children: ReactNode }) {
  const org = useMe().organization?.id;
  const [state, setState] = useState<StreamState>('waiting');
  const handlers = useRef(new Set<Handler>());
  useEffect(() => {
    if (!org) return undefined;
    const again = new Refetcher(queries);
    const cache = cacheOf(queries);
    const stop = follow(org, {
      event(e) {
        again.stale(apply(rules, e.type, e.data, cache));
        handlers.current.forEach((h) => h(e));
      },
      reset: () => again.everything(),
      state(s) {
        setState(s);
        // What failed while nobody answered is asked again; what was read is renewed by the events that come now.
        if (s === 'live') void queries.refetchQueries({ type: 'active', predicate: (q) => q.state.status === 'error' });
      },
      refused: () => void refresh('/me'),
    });
    return () => {
      stop();
      again.stop();
    };
  }, [org, rules]);
  const bus = useMemo<Bus>(
    () => ({
      state,
      subscribe(h) {
        handlers.current.add(h);
        return () => handlers.current.delete(h);
      },
    }),
    [state],
  );
  return <Context value={bus}>{children}</Context>;
}

export function useStreamState(): StreamState {
  return useContext(Context).state;
}

/** Calls fn for events of these types while the component is on screen. */
export function useEvents(types: readonly EventType[], fn: (e: StreamEvent) => void): void {
  const { subscribe } = useContext(Context);
  const latest = useRef(fn);
  latest.current = fn;
  const wanted = types.join();
  useEffect(
    () =>
      subscribe((e) => {
        if (wanted.split(',').includes(e.type)) latest.current(e);
      }),
    [subscribe, wanted],
  );
}
