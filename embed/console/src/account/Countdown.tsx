import { refresh } from '@shell';
import { useEffect, useState } from 'react';
import { clock } from './name';

/** The seconds that are left until a time, counted down; 0 when it has come. */
export function useSecondsUntil(at: string | null): number {
  const left = () => (at ? Math.max(0, (Date.parse(at) - Date.now()) / 1000) : 0);
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (!at) return undefined;
    const timer = setInterval(() => {
      setSeconds(left());
      if (left() === 0) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}

/** A wait that the messenger asked for, counted down; when it is over, accounts are read anew. */
export function Countdown({ until }: { until: string }) {
  const seconds = useSecondsUntil(until);
  const over = seconds === 0;
  useEffect(() => {
    if (over) void refresh('/accounts');
  }, [over]);
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums' }} role="timer" aria-live="off">
      {clock(seconds)}
    </span>
  );
}
