import type { Feature } from '@shell/first';
import { IconBell } from '@tabler/icons-react';

export const feature: Feature = {
  name: 'notify',
  pages: [{ path: '/notifications', load: () => import('./Notifications') }],
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
