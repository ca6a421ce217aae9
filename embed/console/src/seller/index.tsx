import type { Feature } from '@shell/first';
import { IconListDetails } from '@tabler/icons-react';

const pages = [
  { path: '/ai/businesses/leads', needs: 'ai', load: () => import('./Leads') },
  { path: '/ai/businesses/results', needs: 'ai', load: () => import('./Results') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    seller: typeof pages;
  }
}

export const feature: Feature = {
  name: 'seller',
  pages,
  commands: [
    { label: 'leads', to: '/ai/businesses/leads', icon: IconListDetails, needs: 'ai' },
    { label: 'results', to: '/ai/businesses/results', icon: IconListDetails, needs: 'ai' },
  ],
  events: [
    {
      on: [
        'ai.turn.completed',
        'ai.reply.sent',
        'ai.reply.blocked',
        'ai.lead.updated',
        'ai.stage.changed',
        'ai.draft.updated',
        'ai.handoff.created',
        'ai.handoff.updated',
      ],
      stale: ['/ai/leads', '/ai/sales-pipeline', '/ai/analytics', '/ai/performance', '/ai/memory', '/ai/knowledge/gaps'],
    },
  ],
};
