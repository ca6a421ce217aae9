import type { Feature } from '@shell/first';
import { IconRobot } from '@tabler/icons-react';

const pages = [
  { path: '/ai/businesses', needs: 'ai', load: () => import('./Businesses') },
  { path: '/ai/businesses/start', needs: 'ai', load: () => import('./Start') },
  { path: '/ai/businesses/research', needs: 'ai', load: () => import('./Research') },
  { path: '/ai/businesses/$id', needs: 'ai', load: () => import('./BusinessPage') },
  { path: '/ai/businesses/profiles', needs: 'ai', load: () => import('./CommunicationProfiles') },
  { path: '/ai/businesses/languages', needs: 'ai', load: () => import('./LanguageProfiles') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    business: typeof pages;
  }
}

export const feature: Feature = {
  name: 'business',
  pages,
  navigation: [{ label: 'seller', to: '/ai/businesses', icon: IconRobot, needs: 'ai', area: 'work', order: 35 }],
  events: [
    { on: ['ai.knowledge.updated'], stale: ['/ai/knowledge/sources', '/ai/knowledge/search'] },
    { on: ['ai.research.updated'], stale: ['/ai/research'] },
  ],
};
