// The event stream: one connection a browser, however many tabs are open. The tab that
// holds a lock of the browser listens and passes on; when it is closed, the next one
// takes the lock and goes on behind the last event that anybody heard.
import { eventTypes } from './types';

export interface StreamEvent {
  id: string;
  type: string;
  data: unknown;
}

/** live: events arrive; waiting: it connects; lost: it failed and tries again. */
export type StreamState = 'waiting' | 'live' | 'lost';

export interface Listener {
  event(e: StreamEvent): void;
  /** Events were missed: everything may be stale. */
  reset(): void;
  state(s: StreamState): void;
  /** The session may have ended. */
  refused(): void;
}

type Message =
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'reset' }
  | { kind: 'state'; state: StreamState }
  | { kind: 'refused' }
  | { kind: 'hello' };

const firstWait = 2000;
const longestWait = 30_000;

/** Follows the events of an organization until stopped. */
export function follow(org: string, listener: Listener): () => void {
  const channel = new BroadcastChannel(`svc.events.${org}`);
  const stopping = new AbortController();
  let last = '';
  let state: StreamState = 'waiting';

  const take = (m: Message): void => {
    if (m.kind === 'event') {
      last = m.event.id || last;
      listener.event(m.event);
    } else if (m.kind === 'reset') listener.reset();
    else if (m.kind === 'refused') listener.refused();
    else if (m.kind === 'state') listener.state((state = m.state));
  };
  const share = (m: Message): void => {
    take(m);
    channel.postMessage(m);
  };

  let leading = false;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'hello') take(data);
    else if (leading) channel.postMessage({ kind: 'state', state } satisfies Message); // a new tab asks
  };
  channel.postMessage({ kind: 'hello' } satisfies Message);

  const lead = async (): Promise<void> => {
    leading = true;
    await listen(() => last, share, stopping.signal);
  };
  const locks = navigator.locks as LockManager | undefined;
  const led = locks ? locks.request(`svc.events.${org}`, { signal: stopping.signal }, lead) : lead();
  void led.catch(() => {}); // stopped while it waited for the lock

  return () => {
    stopping.abort();
    channel.close();
  };
}

/** Keeps one connection open until the signal ends it. */
async function listen(last: () => string, share: (m: Message) => void, signal: AbortSignal): Promise<void> {
  let wait = firstWait;
  let opened = 0;
  const open = (): void => {
    // Whoever heard nothing before the connection was lost has no place to go on from.
    if (opened++ > 0 && last() === '') share({ kind: 'reset' });
    share({ kind: 'state', state: 'live' });
  };
  while (!signal.aborted) {
    const worked = await connection(last(), open, share, signal);
    if (signal.aborted) return;
    share({ kind: 'state', state: 'lost' });
    share({ kind: 'refused' });
    wait = worked ? firstWait : Math.min(wait * 2, longestWait);
    await pause(wait, signal);
  }
}

/** One EventSource, until it is refused for good. It says whether it ever was open. */
function connection(last: string, open: () => void, share: (m: Message) => void, signal: AbortSignal): Promise<boolean> {
  const query = last ? `?last_event_id=${encodeURIComponent(last)}` : '';
  const source = new EventSource(`/api/v1/events/stream${query}`);
  let opened = false;
  return new Promise((resolve) => {
    const end = (): void => {
      source.close();
      resolve(opened);
    };
    signal.addEventListener('abort', end, { once: true });
    source.onopen = () => {
      opened = true;
      open();
    };
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) end();
      else share({ kind: 'state', state: 'lost' }); // it connects again by itself, with Last-Event-ID
    };
    for (const type of eventTypes) {
      source.addEventListener(type, (e) => share({ kind: 'event', event: { id: e.lastEventId, type, data: parse(e.data) } }));
    }
    source.addEventListener('stream.reset', () => share({ kind: 'reset' }));
    source.addEventListener('stream.overflow', () => share({ kind: 'reset' }));
    source.addEventListener('stream.closed', end);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits, or until the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
