// Which entries of the navigation a person sees: those of one area, nine at most.
import { type Area, areas, type Feature, type NavEntry } from '../feature';
import type { Permission } from '../session/me';

export interface Entry extends NavEntry {
  feature: string;
}

/** What a person may open, by areas in their order. An area begins with an entry that stands by itself. */
export function areasFor(features: readonly Feature[], can: (p: Permission | undefined) => boolean): { area: Area; entries: Entry[] }[] {
  const all = features.flatMap((f) => (f.navigation ?? []).map((e) => ({ ...e, feature: f.name }))).filter((e) => can(e.needs));
  return areas
    .map((area) => {
      const entries = all.filter((e) => e.area === area).sort((a, b) => a.order - b.order);
      const top = topOf(entries);
      return { area, entries: [...top, ...entries.filter((e) => !top.includes(e))] };
    })
    .filter((g) => g.entries.length > 0);
}

/** Whether the page that is open belongs to an entry. */
export function isOpen(to: string, path: string): boolean {
  return to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
}

/** Whether the page that is open belongs to an entry or to what stands under its name. */
export function holds(e: Pick<NavEntry, 'to' | 'also'>, path: string): boolean {
  return isOpen(e.to, path) || (!!e.also && isOpen(e.also, path));
}

/** The entry that a page belongs to: of several the one that says most. */
export function openEntry(entries: readonly Entry[], path: string): Entry | undefined {
  return entries.filter((e) => holds(e, path)).sort((a, b) => b.to.length - a.to.length)[0];
}

/** The entries that stand by themselves; one whose upper entry the person may not open does too. */
export function topOf(entries: readonly Entry[]): Entry[] {
  return entries.filter((e) => !e.below || !entries.some((up) => up.to === e.below));
}

/** What is shown while an entry is open: those that stand by themselves, and what belongs to the open one behind it. */
export function shownOf(entries: readonly Entry[], open: Entry | undefined): Entry[] {
  return topOf(entries).flatMap((e) => {
    const under = entries.filter((x) => x.below === e.to);
    return open && (open.to === e.to || under.includes(open)) ? [e, ...under] : [e];
  });
}
