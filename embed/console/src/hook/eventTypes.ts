// The types of events by what they are about, and what a subscription means.
import { eventTypes } from '@shell/events/types';

export const groups = ['campaign', 'message', 'recipient', 'account', 'webhook'] as const;
export type Group = (typeof groups)[number];

export const typesOf = (g: Group): readonly string[] => eventTypes.filter((t) => t.startsWith(`${g}.`) && t !== 'webhook.test');

const all = (): string[] => groups.flatMap(typesOf);

/** The single types that patterns stand for. */
export function expand(patterns: readonly string[]): string[] {
  return all().filter((t) => patterns.some((p) => p === t || (p.endsWith('*') && t.startsWith(p.slice(0, -1)))));
}

/** Patterns that the form has no box for, such as types of later versions; they stay. */
export function unknown(patterns: readonly string[]): string[] {
  return patterns.filter((p) => expand([p]).length === 0);
}

/**
 * The patterns for what is chosen: "*" for all, now and later, else a group as a whole
 * when every box of it is chosen, so that types that are added later come too.
 */
export function compress(everything: boolean, types: readonly string[], others: readonly string[] = []): string[] {
  if (everything) return ['*'];
  const whole = groups.filter((g) => typesOf(g).length > 1 && typesOf(g).every((t) => types.includes(t)));
  return [...whole.map((g) => `${g}.*`), ...types.filter((t) => !whole.some((g) => t.startsWith(`${g}.`))), ...others];
}
