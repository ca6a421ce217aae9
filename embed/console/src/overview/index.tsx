import { type Feature, get, queries } from '@shell/first';
import { IconHome } from '@tabler/icons-react';

export const feature: Feature = {
  name: 'overview',
  pages: [{ path: '/', load: () => import('./Home'), ahead: () => queries.prefetchQuery(get('/dashboard', {})) }],
  events: [
    { on: ['campaign.*', 'message.*'], stale: ['/dashboard', '/analytics/messages'] },
    { on: ['recipient.imported', 'recipient.opted_out', 'account.*'], stale: ['/dashboard'] },
  ],
  navigation: [{ label: 'home', to: '/', icon: IconHome, area: 'work', order: 0 }],
};
