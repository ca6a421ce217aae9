import type { Feature } from '@shell/first';
import { IconBuildingStore, IconMessage2Cog } from '@tabler/icons-react';

const pages = [
  { path: '/ai/businesses', needs: 'ai:read', load: () => import('./Businesses') },
  { path: '/ai/businesses/start', needs: 'ai:read', load: () => import('./Start') },
  { path: '/ai/businesses/$id', needs: 'ai:read', load: () => import('./BusinessPage') },
  { path: '/ai/profiles', needs: 'ai:read', load: () => import('./CommunicationProfiles') },
  { path: '/ai/profiles/languages', needs: 'ai:read', load: () => import('./LanguageProfiles') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    business: typeof pages;
  }
}

export const feature: Feature = {
  name: 'business',
  pages,
  navigation: [
    { label: 'seller', to: '/ai/businesses', icon: IconBuildingStore, needs: 'ai:read', area: 'work', order: 35 },
    { label: 'profiles', to: '/ai/profiles', icon: IconMessage2Cog, needs: 'ai:read', area: 'work', order: 10, below: '/ai/businesses' },
  ],
};
