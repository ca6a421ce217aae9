// Whether the next level of autonomy would do, by what people decided meanwhile; pure.
import type { Schema } from '@shell';

export type Agreed = Schema<'FigurePerformance'>['shadow'];

/** What may be said of the next level: nothing yet, too little, that it would do, that it would not. */
export type Verdict = 'none' | 'few' | 'raise' | 'wait';

/** How much of what is compared must agree, at the least with 95 percent certainty. */
const wanted = 0.8;
/** Above this level the seller sends by itself: there is nothing to compare. */
const highest = 3;

/** What the comparisons say at a level. */
export function verdictOf(level: number, s: Agreed): Verdict {
  if (level > highest || s.turns === 0) return 'none';
  const known = s.by_scenario.filter((x) => x.enough);
  if (known.length === 0) return 'few';
  return known.every((x) => (x.interval_95?.[0] ?? 0) >= wanted) ? 'raise' : 'wait';
}
