import { type Feature, lateIcon } from '@shell/first';
import { IconKey } from '@tabler/icons-react';

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

const icon = (name: keyof typeof import('./icons')) => lateIcon(() => import('./icons').then((all) => ({ default: all[name] })));

export const feature: Feature = {
  name: 'place',
  pages,
  navigation: [
    { label: 'search', to: '/map/search', icon: icon('Map'), area: 'map', order: 10 },
    { label: 'styles', to: '/map/styles', icon: icon('Palette'), area: 'map', order: 20 },
    { label: 'keys', to: '/map/keys', icon: IconKey, area: 'map', order: 30 },
  ],
};
