import type { Feature } from '@shell/first';
import { IconListDetails } from '@tabler/icons-react';

const pages = [
  { path: '/ai/leads', needs: 'ai:read', load: () => import('./Leads') },
  { path: '/ai/businesses/results', needs: 'ai:read', load: () => import('./Results') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    seller: typeof pages;
  }
}

export const feature: Feature = {
  name: 'seller',
  pages,
  navigation: [
    { label: 'leads', to: '/ai/leads', icon: IconListDetails, needs: 'ai:read', area: 'work', order: 10, below: '/ai/businesses' },
  ],
  commands: [{ label: 'results', to: '/ai/businesses/results', icon: IconListDetails, needs: 'ai:read' }],
  events: [
    {
      on: ['ai.turn.completed', 'ai.lead.updated', 'ai.stage.changed', 'ai.draft.updated', 'ai.handoff.created', 'ai.handoff.updated'],
      stale: ['/ai/leads', '/ai/sales-pipeline', '/ai/analytics', '/ai/performance', '/ai/memory'],
    },
  ],
};
