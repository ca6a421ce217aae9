// What replacing the stages of a funnel changes.
import type { Stage } from './types';

export interface Change {
  added: Stage[];
  /** Gone, with the stage where their conversations go; undefined: none is left. */
  removed: { stage: Stage; to?: Stage }[];
  changed: Stage[];
  /** Whether those that stay stand in another order. */
  reordered: boolean;
}

const bodyOf = ({ order: _, ...rest }: Stage): string => JSON.stringify(rest, Object.keys(rest).sort());

/** What is different behind the change. */
export function changeOf(before: readonly Stage[], after: readonly Stage[]): Change {
  const stays = new Map(after.map((s) => [s.key, s]));
  const was = new Map(before.map((s) => [s.key, s]));
  const kept = (list: readonly Stage[], other: Map<string, Stage>) => list.filter((s) => other.has(s.key)).map((s) => s.key);
  return {
    added: after.filter((s) => !was.has(s.key)),
    removed: before.flatMap((stage, i) => {
      if (stays.has(stage.key)) return [];
      const earlier = before.slice(0, i).findLast((s) => stays.has(s.key));
      return [{ stage, to: (earlier && stays.get(earlier.key)) ?? after[0] }];
    }),
    changed: after.filter((s) => was.has(s.key) && bodyOf(s) !== bodyOf(was.get(s.key)!)),
    reordered: kept(before, stays).join() !== kept(after, was).join(),
  };
}

export const isNothing = (c: Change): boolean => c.added.length + c.removed.length + c.changed.length === 0 && !c.reordered;

/** A key for a stage of this name that no other has: Latin capitals, digits and underscores. */
export function keyFor(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .toUpperCase()
    .slice(0, 30);
  const base = plain.length >= 2 ? plain : 'STAGE';
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!taken.includes(key)) return key;
  }
}

/** The list with one entry moved. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const out = [...list];
  const [one] = out.splice(from, 1);
  if (one !== undefined) out.splice(to, 0, one);
  return out;
}
