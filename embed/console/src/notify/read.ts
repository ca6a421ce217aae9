import { type Answer, type Body, useAction } from '@shell';

type Page = Answer<'/notifications', 'get'>;
type Which = Body<'/notifications/read', 'post'>;

/** The notifications as they are when these were read. */
export function afterReading(page: Page, which: Which, now = new Date().toISOString()): Page {
  const meant = (id: string) => which.all === true || (which.ids ?? []).includes(id);
  const read = page.data.filter((n) => !n.read_at && meant(n.id)).length;
  return {
    ...page,
    data: page.data.map((n) => (n.read_at || !meant(n.id) ? n : { ...n, read_at: now })),
    unread_count: which.all ? 0 : Math.max(0, page.unread_count - read),
  };
}

/** Marks notifications as read: at once on the page, for who reads ten presses ten times. done: a sentence when it is done. */
export function useRead(done?: string) {
  return useAction('post', '/notifications/read', {
    stale: ['/notifications'],
    done,
    now: ({ body }, cache) => cache.change('/notifications', (page) => afterReading(page, body)),
  });
}
