import type { Feature } from '@shell/first';
import { IconBell } from '@tabler/icons-react';

const pages = [{ path: '/notifications', load: () => import('./Notifications') }] as const;
declare module '@shell/addresses' {
  interface Pages {
    notify: typeof pages;
  }
}

export const feature: Feature = {
  name: 'notify',
  pages,
  events: [
    {
      on: [
        'campaign.scheduled',
        'campaign.started',
        'campaign.resumed',
        'campaign.paused',
        'campaign.completed',
        'campaign.cancelled',
        'campaign.failed',
        'recipient.imported',
        'account.*',
        'webhook.*',
      ],
      stale: ['/notifications'],
    },
  ],
  commands: [{ label: 'notifications', to: '/notifications', icon: IconBell }],
  header: () => import('./Bell'),
};
