// The tail of the stream: the newest events, gathered while they pour in and shown
// twice a second; nothing moves while it is paused.
import { useEvents } from '@shell';
import { eventTypes } from '@shell/events/types';
import { useEffect, useRef, useState } from 'react';
import { type Envelope, envelopeOf } from './kinds';

/** How many are kept on screen, and how many wait while it is paused. */
export const kept = 1000;
const period = 500;

export class Tail {
  shown: readonly Envelope[] = [];
  /** Arrived and not yet shown, newest first. */
  private waiting: Envelope[] = [];
  /** How many arrived while nothing was shown; those above what is kept are in the history. */
  missed = 0;

  add(e: Envelope): void {
    this.waiting.unshift(e);
    this.waiting.length = Math.min(this.waiting.length, kept);
    this.missed++;
  }

  /** Shows what waits; false when there is nothing. */
  flush(): boolean {
    if (this.waiting.length === 0) return false;
    this.shown = [...this.waiting, ...this.shown].slice(0, kept);
    this.waiting = [];
    this.missed = 0;
    return true;
  }

  clear(): void {
    this.shown = [];
    this.waiting = [];
    this.missed = 0;
  }
}

export function useTail(paused: boolean): { events: readonly Envelope[]; missed: number; clear: () => void } {
  const tail = useRef(new Tail());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [, draw] = useState(0);
  const stopped = useRef(paused);
  stopped.current = paused;
  const later = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      if (!stopped.current) tail.current.flush();
      draw((n) => n + 1);
    }, period);
  };
  useEvents(eventTypes, (e) => {
    const envelope = envelopeOf(e.data);
    if (!envelope) return;
    tail.current.add(envelope);
    later();
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!paused && tail.current.flush()) draw((n) => n + 1);
  }, [paused]);
  return {
    events: tail.current.shown,
    missed: tail.current.missed,
    clear: () => {
      tail.current.clear();
      draw((n) => n + 1);
    },
  };
}
