// The types of events by what they are about, and what a list of patterns means.
import { eventTypes } from '@shell/events/types';

/** The beginnings of the types of each group. */
const beginnings = {
  campaign: ['campaign'],
  message: ['message'],
  recipient: ['recipient'],
  account: ['account'],
  channels: ['channels'],
  conversations: ['ai.conversation'],
  seller: ['ai.handoff', 'ai.turn', 'ai.reply', 'ai.draft', 'ai.stage', 'ai.lead'],
  analysis: ['ai.analysis', 'ai.insights', 'ai.cases', 'ai.social'],
  calendar: ['ai.calendar'],
  engine: ['ai.budget', 'ai.knowledge', 'ai.research', 'ai.evaluation'],
  webhook: ['webhook'],
} as const;

export type EventGroup = keyof typeof beginnings;
export const eventGroups = Object.keys(beginnings) as EventGroup[];

/** The types that the log keeps: that somebody types is told to who looks at it, and gone. */
const recorded = eventTypes.filter((t) => t !== 'ai.conversation.typing');

export const typesOf = (g: EventGroup): readonly string[] => recorded.filter((t) => beginnings[g].some((b) => t.startsWith(`${b}.`)));

/** Each beginning as a pattern, before the types that it stands for; for filters. */
export const patterns: readonly string[] = eventGroups.flatMap((g) =>
  beginnings[g].flatMap((b) => [`${b}.*`, ...recorded.filter((t) => t.startsWith(`${b}.`))]),
);

/** Whether one of the patterns, each a type or a beginning with a * behind it, means the type. */
export function meant(type: string, by: readonly string[]): boolean {
  return by.some((p) => p === type || (p.endsWith('*') && type.startsWith(p.slice(0, -1))));
}

/** What a webhook may ask for: its own test it gets without. */
export const subscribable = (g: EventGroup): readonly string[] => typesOf(g).filter((t) => t !== 'webhook.test');

/** The single types that patterns stand for. */
export function expand(by: readonly string[]): string[] {
  return eventGroups.flatMap(subscribable).filter((t) => meant(t, by));
}

/** Patterns that the form has no box for, such as types of later versions; they stay. */
export function unknown(by: readonly string[]): string[] {
  return by.filter((p) => expand([p]).length === 0);
}

/** The groups whose every box is chosen. */
export const wholeGroups = (types: readonly string[]): EventGroup[] =>
  eventGroups.filter((g) => subscribable(g).every((t) => types.includes(t)));

/**
 * The patterns for what is chosen: "*" for all, now and later, else a group as a whole
 * when every box of it is chosen, so that types that are added later come too.
 */
export function compress(everything: boolean, types: readonly string[], others: readonly string[] = []): string[] {
  if (everything) return ['*'];
  const whole = wholeGroups(types).filter((g) => subscribable(g).length > 1);
  const covered = whole.flatMap(subscribable);
  return [...whole.flatMap((g) => beginnings[g].map((b) => `${b}.*`)), ...types.filter((t) => !covered.includes(t)), ...others];
}
