import type { Feature } from '@shell/first';
import { IconHome } from '@tabler/icons-react';

export const feature: Feature = {
  name: 'overview',
  pages: [{ path: '/', load: () => import('./Home') }],
  navigation: [{ label: 'home', to: '/', icon: IconHome, group: 'work', order: 0 }],
};
