// What happens to a reply at each level of autonomy (contract 11.5): the one place of the console that says it.
import type { Scenario, Settings } from './types';

export const levels = [0, 1, 2, 3, 4, 5] as const;
export type Level = (typeof levels)[number];

/** What becomes of a reply: nothing, advice to a person, a draft, sent, sent word for word, a booking that waits, a booking. */
export type Outcome = 'NONE' | 'RECOMMEND' | 'DRAFT' | 'SEND' | 'SEND_EXACT' | 'DRAFT_EXACT' | 'BOOK_PENDING' | 'BOOK';

/** What happens in a scenario: every level and every choice has one answer. */
export function outcomeOf(level: number, scenario: Scenario, s: Pick<Settings, 'approved_scenarios' | 'strict_scenarios'>): Outcome {
  if (level <= 0) return 'NONE';
  if (level === 1) return 'RECOMMEND';
  const sends = level >= 4 || (level === 3 && s.approved_scenarios.includes(scenario));
  if (s.strict_scenarios.includes(scenario)) return sends ? 'SEND_EXACT' : 'DRAFT_EXACT';
  return sends ? 'SEND' : 'DRAFT';
}

/** What becomes of a booking that the customer wants. */
export const bookingOf = (level: number): 'NONE' | 'BOOK_PENDING' | 'BOOK' => (level < 2 ? 'NONE' : level < 5 ? 'BOOK_PENDING' : 'BOOK');

/** Whether a scenario's approval changes anything at a level. */
export const asksApproval = (level: number): boolean => level === 3;
