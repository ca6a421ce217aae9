import type { Feature } from '@shell/first';
import { IconListDetails, IconReceipt2, IconSparkles } from '@tabler/icons-react';

const pages = [
  { path: '/ai/providers', needs: 'ai:read', load: () => import('./Providers') },
  { path: '/ai/providers/$id', needs: 'ai:read', load: () => import('./ProviderPage') },
  { path: '/ai/executions', needs: 'ai:read', load: () => import('./Executions') },
  { path: '/ai/executions/$id', needs: 'ai:read', load: () => import('./ExecutionPage') },
  { path: '/ai/budgets', needs: 'ai:read', load: () => import('./Budgets') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    engine: typeof pages;
  }
}

export const feature: Feature = {
  name: 'engine',
  pages,
  navigation: [
    { label: 'ai', to: '/ai/providers', icon: IconSparkles, needs: 'ai:read', area: 'organization', order: 25 },
    {
      label: 'executions',
      to: '/ai/executions',
      icon: IconListDetails,
      needs: 'ai:read',
      area: 'organization',
      order: 10,
      below: '/ai/providers',
    },
    { label: 'budgets', to: '/ai/budgets', icon: IconReceipt2, needs: 'ai:read', area: 'organization', order: 20, below: '/ai/providers' },
  ],
};
