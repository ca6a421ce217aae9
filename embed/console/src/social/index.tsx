import type { Feature } from '@shell/first';
import { IconPhoto } from '@tabler/icons-react';

const pages = [
  { path: '/ai/social', needs: 'ai:read', load: () => import('./Boards') },
  { path: '/ai/social/posts', needs: 'ai:read', load: () => import('./Posts') },
  { path: '/ai/social/posts/$id', needs: 'ai:read', load: () => import('./PostPage'), within: '/ai/social/posts' },
  { path: '/ai/social/comments', needs: 'ai:read', load: () => import('./Comments') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    social: typeof pages;
  }
}

export const feature: Feature = {
  name: 'social',
  pages,
  navigation: [{ label: 'social', to: '/ai/social', icon: IconPhoto, needs: 'ai:read', area: 'work', order: 30, below: '/channels' }],
  events: [
    {
      on: ['ai.social.synced'],
      stale: ['/ai/social/accounts/{id}/sync', '/ai/social/posts', '/ai/social/comments', '/ai/social/boards/{board}'],
    },
    { on: ['ai.social.narrative_ready'], stale: ['/ai/social/boards/{board}'] },
  ],
};
