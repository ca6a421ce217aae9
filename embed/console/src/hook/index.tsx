import type { Feature } from '@shell/first';
import { IconWebhook } from '@tabler/icons-react';

const pages = [
  { path: '/webhooks', needs: 'webhooks:read', load: () => import('./Webhooks') },
  { path: '/webhooks/new', needs: 'webhooks:manage', load: () => import('./NewWebhook') },
  { path: '/webhooks/verify', needs: 'webhooks:read', load: () => import('./Verify') },
  { path: '/webhooks/$id', needs: 'webhooks:read', load: () => import('./Webhook'), within: '/webhooks' },
  { path: '/webhooks/$id/edit', needs: 'webhooks:manage', load: () => import('./EditWebhook'), within: '/webhooks', full: true },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    hook: typeof pages;
  }
}

export const feature: Feature = {
  name: 'hook',
  pages,
  navigation: [{ label: 'webhooks', to: '/webhooks', icon: IconWebhook, needs: 'webhooks:read', area: 'developers', order: 20 }],
  events: [{ on: ['webhook.*'], stale: ['/webhooks'] }],
  commands: [{ label: 'add', to: '/webhooks/new', icon: IconWebhook, needs: 'webhooks:manage' }],
};
