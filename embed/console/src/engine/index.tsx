import type { Feature } from '@shell/first';
import { IconFileText, IconListDetails, IconReceipt2, IconRobot, IconSparkles } from '@tabler/icons-react';

const pages = [
  { path: '/ai/providers', needs: 'ai', load: () => import('./Providers') },
  { path: '/ai/providers/$id', needs: 'ai', load: () => import('./ProviderPage') },
  { path: '/ai/agents', needs: 'ai', load: () => import('./Agents') },
  { path: '/ai/agents/$id', needs: 'ai', load: () => import('./AgentPage') },
  { path: '/ai/prompts', needs: 'ai', load: () => import('./Prompts') },
  { path: '/ai/prompts/$id', needs: 'ai', load: () => import('./PromptPage') },
  { path: '/ai/executions', needs: 'ai', load: () => import('./Executions') },
  { path: '/ai/executions/$id', needs: 'ai', load: () => import('./ExecutionPage') },
  { path: '/ai/budgets', needs: 'ai', load: () => import('./Budgets') },
  { path: '/ai/jev', needs: 'ai', load: () => import('./JevPage') },
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
    { label: 'ai', to: '/ai/providers', also: '/ai/jev', icon: IconSparkles, needs: 'ai', area: 'organization', order: 25 },
    { label: 'agents', to: '/ai/agents', icon: IconRobot, needs: 'ai', area: 'organization', order: 4, below: '/ai/providers' },
    { label: 'prompts', to: '/ai/prompts', icon: IconFileText, needs: 'ai', area: 'organization', order: 6, below: '/ai/providers' },
    {
      label: 'executions',
      to: '/ai/executions',
      icon: IconListDetails,
      needs: 'ai',
      area: 'organization',
      order: 10,
      below: '/ai/providers',
    },
    { label: 'budgets', to: '/ai/budgets', icon: IconReceipt2, needs: 'ai', area: 'organization', order: 20, below: '/ai/providers' },
  ],
  events: [{ on: ['ai.budget.alert'], stale: ['/ai/budgets'] }],
};
