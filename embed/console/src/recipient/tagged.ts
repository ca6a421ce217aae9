// What giving and taking tags makes of the lists, shown before the server has answered.
import type { Body } from '@shell';
import type { Cache } from '@shell/first';

type Bulk = Body<'/recipients/bulk', 'post'>;

/** The tags of a person after the change; they stay in their order. */
export function afterTagging(tags: readonly string[], action: Bulk['action'], changed: readonly string[]): string[] {
  if (action === 'tag') return [...new Set([...tags, ...changed])];
  return tags.filter((tag) => !changed.includes(tag));
}

/** Shows a bulk change of tags on the people that it names. Whom a filter means only the server knows. */
export function showTags(cache: Cache, b: Bulk): void {
  const ids = new Set(b.recipient_ids ?? []);
  if ((b.action !== 'tag' && b.action !== 'untag') || ids.size === 0) return;
  cache.change('/recipients', (page) => ({
    ...page,
    data: page.data.map((r) => (ids.has(r.id) ? { ...r, tags: afterTagging(r.tags, b.action, b.tags ?? []) } : r)),
  }));
}

/** Takes a tag out of the list of tags: nobody has it any more. */
export function dropTag(cache: Cache, tag: string): void {
  cache.change('/recipients/tags', (page) => ({ ...page, data: page.data.filter((x) => x.tag !== tag) }));
}
