import type { Feature } from '@shell/first';
import { IconKey, IconMap2, IconPalette } from '@tabler/icons-react';

const pages = [
  { path: '/map/search', load: () => import('./MapSearch') },
  { path: '/map/styles', load: () => import('./Styles') },
  { path: '/map/keys', load: () => import('./Keys') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    place: typeof pages;
  }
}

export const feature: Feature = {
  name: 'place',
  pages,
  navigation: [
    { label: 'search', to: '/map/search', icon: IconMap2, area: 'map', order: 10 },
    { label: 'styles', to: '/map/styles', icon: IconPalette, area: 'map', order: 20 },
    { label: 'keys', to: '/map/keys', icon: IconKey, area: 'map', order: 30 },
  ],
};
