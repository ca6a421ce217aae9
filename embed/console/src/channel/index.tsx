import type { Feature } from '@shell/first';
import { IconRouteSquare, IconRobot } from '@tabler/icons-react';

const pages = [
  { path: '/channels', needs: 'accounts:read', load: () => import('./Channels') },
  { path: '/channels/setup', needs: 'accounts:read', load: () => import('./Setup') },
  { path: '/channels/automations', needs: 'accounts:read', load: () => import('./Automations') },
  { path: '/channels/$id', needs: 'accounts:read', load: () => import('./ChannelPage'), within: '/channels' },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    channel: typeof pages;
  }
}

export const feature: Feature = {
  name: 'channel',
  pages,
  navigation: [
    { label: 'channels', to: '/channels', icon: IconRouteSquare, needs: 'accounts:read', area: 'work', order: 72 },
    {
      label: 'automations',
      to: '/channels/automations',
      icon: IconRobot,
      needs: 'accounts:read',
      area: 'work',
      order: 10,
      below: '/channels',
    },
  ],
  events: [
    {
      on: ['channels.account.updated', 'channels.history.imported', 'channels.marketing_subscription.updated'],
      stale: ['/channels/accounts'],
    },
    {
      on: ['channels.private_reply.sent', 'channels.private_reply.failed', 'channels.private_reply.skipped'],
      stale: ['/channels/automations', '/channels/accounts'],
    },
  ],
};
