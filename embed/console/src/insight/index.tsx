import type { Feature } from '@shell/first';
import { IconListDetails } from '@tabler/icons-react';

const pages = [
  { path: '/ai/insights', needs: 'ai', load: () => import('./Boards') },
  { path: '/ai/insights/cases', needs: 'ai', load: () => import('./Cases') },
  { path: '/ai/insights/past', needs: 'ai', load: () => import('./Past') },
  { path: '/ai/social', needs: 'ai', load: () => import('./social/Boards') },
  { path: '/ai/social/posts', needs: 'ai', load: () => import('./social/Posts') },
  { path: '/ai/social/posts/$id', needs: 'ai', load: () => import('./social/PostPage'), within: '/ai/social/posts' },
  { path: '/ai/social/comments', needs: 'ai', load: () => import('./social/Comments') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    insight: typeof pages;
  }
}

export const feature: Feature = {
  name: 'insight',
  pages,
  navigation: [
    {
      label: 'insights',
      to: '/ai/insights',
      also: '/ai/social',
      icon: IconListDetails,
      needs: 'ai',
      area: 'work',
      order: 20,
      below: '/ai/businesses',
    },
  ],
  events: [
    {
      on: ['ai.analysis.updated', 'ai.insights.narrative_ready', 'ai.insights.narrative_refused'],
      stale: ['/ai/insights/boards/{board}', '/ai/conversations/{id}/insights'],
    },
    { on: ['ai.insights.backfill'], stale: ['/ai/insights/backfill'] },
    {
      on: ['ai.social.synced', 'ai.social.narrative_ready', 'ai.social.narrative_refused'],
      stale: ['/ai/social/posts', '/ai/social/comments', '/ai/social/boards/{board}', '/ai/social/accounts/{id}/sync'],
    },
    { on: ['ai.cases.generated'], stale: ['/ai/businesses/{id}/cases'] },
  ],
};
