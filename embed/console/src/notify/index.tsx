import type { Feature } from '@shell/first';
import { IconBell } from '@tabler/icons-react';

export const feature: Feature = {
  name: 'notify',
  pages: [{ path: '/notifications', load: () => import('./Notifications') }],
  commands: [{ label: 'notifications', to: '/notifications', icon: IconBell }],
  header: () => import('./Bell'),
};
