// What an event does to what was read. Each feature says it of its own answers, in its index.
import type { Cache } from '../api/cache';
import type { PathOf } from '../api/client';
import type { EventGroup, EventType } from './types';

type GetPath = PathOf<'get'>;

/** A type of event, or all of a group. */
export type EventName = EventType | `${EventGroup}.*`;

/**
 * An event either makes answers stale, which are then asked for again, or changes them where they
 * are. stale: paths, each with all below it. patch: writes what the event tells into the answers.
 */
export type EventRule = { on: readonly EventName[] } & (
  | { stale: readonly GetPath[]; patch?: never }
  | { patch: (data: Readonly<Record<string, unknown>>, cache: Cache) => void; stale?: never }
);

/** Whether a rule is about the type. */
export function isAbout(rule: EventRule, type: string): boolean {
  return rule.on.some((name) => (name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : type === name));
}

/** Changes what the event tells, and gives the paths that it makes stale. */
export function apply(rules: readonly EventRule[], type: string, data: unknown, cache: Cache): string[] {
  const stale = new Set<string>();
  for (const rule of rules) {
    if (!isAbout(rule, type)) continue;
    if (rule.stale) for (const path of rule.stale) stale.add(path);
    else rule.patch(content(data), cache);
  }
  return [...stale];
}

/** What an event tells, with or without its envelope; nothing when it has another form. */
function content(event: unknown): Readonly<Record<string, unknown>> {
  const data = (event as { data?: unknown } | undefined)?.data ?? event;
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
}
