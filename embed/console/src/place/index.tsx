import type { Feature } from '@shell/first';
import { IconKey, IconMap2, IconPalette } from '@tabler/icons-react';

export const feature: Feature = {
  name: 'place',
  pages: [
    { path: '/map/search', load: () => import('./MapSearch') },
    { path: '/map/styles', load: () => import('./Styles') },
    { path: '/map/keys', load: () => import('./Keys') },
  ],
  navigation: [
    { label: 'search', to: '/map/search', icon: IconMap2, area: 'map', order: 10 },
    { label: 'styles', to: '/map/styles', icon: IconPalette, area: 'map', order: 20 },
    { label: 'keys', to: '/map/keys', icon: IconKey, area: 'map', order: 30 },
  ],
};
