import type { Feature } from '@shell/first';
import { IconActivity, IconBook } from '@tabler/icons-react';

const pages = [
  { path: '/events', needs: 'webhooks:read', load: () => import('./EventLog') },
  { path: '/events/live', needs: 'webhooks:read', load: () => import('./Live') },
  { path: '/events/types', needs: 'webhooks:read', load: () => import('./Types') },
  { path: '/reference', load: () => import('./Reference') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    event: typeof pages;
  }
}

export const feature: Feature = {
  name: 'event',
  pages,
  // Every event also is a row of the log.
  events: [{ on: ['campaign.*', 'message.*', 'recipient.*', 'account.*', 'channels.*', 'ai.*', 'webhook.*'], stale: ['/events'] }],
  navigation: [
    { label: 'events', to: '/events', icon: IconActivity, needs: 'webhooks:read', area: 'developers', order: 30 },
    { label: 'reference', to: '/reference', icon: IconBook, area: 'developers', order: 40 },
  ],
};
