// The navigation of everybody who may open everything.
import { expect, test } from 'vitest';
import { features } from '../src/features';
import { areasFor, openEntry, shownOf } from '../src/shell/frame/areas';

const most = 9;

const all = areasFor(features, () => true);
const entries = all.flatMap((a) => a.entries);

test.each(entries.map((e) => e.to))('%s is open with nine entries or fewer', (to) => {
  const open = openEntry(entries, to);
  expect(open?.to).toBe(to);
  const area = all.find((a) => a.area === open!.area)!;
  const shown = shownOf(area.entries, open);
  expect(shown).toContain(open);
  expect(shown.length).toBeLessThanOrEqual(most);
});

test('every entry is in an area of its own name, once, and no two have the same place', () => {
  expect(new Set(entries.map((e) => e.to)).size).toBe(entries.length);
  for (const { area, entries: of } of all) {
    const places = of.map((e) => `${e.below ?? ''} ${e.order}`);
    expect(new Set(places).size, area).toBe(places.length);
    for (const e of of)
      if (e.below)
        expect(
          of.map((x) => x.to),
          e.to,
        ).toContain(e.below);
  }
});

test('what belongs to a page that nobody may open stands by itself', () => {
  const some = areasFor(features, (p) => p === 'proxies:read');
  const work = some.find((a) => a.area === 'work')!.entries;
  expect(shownOf(work, undefined).map((e) => e.to)).toContain('/proxies');
});

test('a page belongs to the entry that says most of its address', () => {
  expect(openEntry(entries, '/admin/organizations/org_1')?.to).toBe('/admin/organizations');
  expect(openEntry(entries, '/campaigns/cmp_1/edit')?.to).toBe('/campaigns');
  expect(openEntry(entries, '/ai/social/posts')?.to).toBe('/ai/insights');
  expect(openEntry(entries, '/profile')).toBeUndefined();
});
