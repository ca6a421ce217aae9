import type { Feature } from '@shell/first';
import { IconActivity } from '@tabler/icons-react';

const pages = [
  { path: '/ai/feedback', needs: 'ai:read', load: () => import('./Feedback') },
  { path: '/ai/feedback/$id', needs: 'ai:read', load: () => import('./FeedbackPage') },
  { path: '/ai/datasets', needs: 'ai:read', load: () => import('./Datasets') },
  { path: '/ai/datasets/$id', needs: 'ai:read', load: () => import('./DatasetPage') },
  { path: '/ai/evaluations', needs: 'ai:read', load: () => import('./Evaluations') },
  { path: '/ai/evaluations/$id', needs: 'ai:read', load: () => import('./EvaluationPage') },
  { path: '/ai/experiments', needs: 'ai:read', load: () => import('./Experiments') },
  { path: '/ai/experiments/$id', needs: 'ai:read', load: () => import('./ExperimentPage') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    quality: typeof pages;
  }
}

export const feature: Feature = {
  name: 'quality',
  pages,
  navigation: [
    { label: 'quality', to: '/ai/feedback', icon: IconActivity, needs: 'ai:read', area: 'organization', order: 27 },
  ],
  events: [{ on: ['ai.evaluation.updated'], stale: ['/ai/evaluations', '/ai/prompts'] }],
};
