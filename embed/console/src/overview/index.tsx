import { type Feature, get, type Permission, queries } from '@shell/first';
import { IconHome } from '@tabler/icons-react';
import { spanOf, todayOf, usual } from './periods';

/** The figures of home, and those of its chart, whose days the first answer tells. */
async function ahead(can: (p: Permission) => boolean): Promise<void> {
  const d = await queries.fetchQuery(get('/dashboard', {}));
  if (can('analytics:read') && location.search === '')
    await queries.prefetchQuery(get('/analytics/messages', { query: { ...spanOf(usual, todayOf(d)), group_by: 'day' } }));
}

const pages = [{ path: '/', load: () => import('./Home'), ahead }] as const;
declare module '@shell/addresses' {
  interface Pages {
    overview: typeof pages;
  }
}

export const feature: Feature = {
  name: 'overview',
  pages,
  events: [
    { on: ['campaign.*', 'message.*'], stale: ['/dashboard', '/analytics/messages'] },
    { on: ['recipient.imported', 'recipient.opted_out', 'account.*'], stale: ['/dashboard'] },
  ],
  navigation: [{ label: 'home', to: '/', icon: IconHome, area: 'work', order: 0 }],
};
