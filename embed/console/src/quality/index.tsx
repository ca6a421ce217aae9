import type { Feature } from '@shell/first';
import { IconListDetails } from '@tabler/icons-react';

const pages = [
  { path: '/ai/quality', needs: 'ai', load: () => import('./Feedback') },
  { path: '/ai/quality/feedback/$id', needs: 'ai', load: () => import('./FeedbackPage') },
  { path: '/ai/quality/datasets', needs: 'ai', load: () => import('./Datasets') },
  { path: '/ai/quality/datasets/$id', needs: 'ai', load: () => import('./DatasetPage') },
  { path: '/ai/quality/evaluations', needs: 'ai', load: () => import('./Evaluations') },
  { path: '/ai/quality/evaluations/$id', needs: 'ai', load: () => import('./EvaluationPage') },
  { path: '/ai/quality/experiments', needs: 'ai', load: () => import('./Experiments') },
  { path: '/ai/quality/experiments/$id', needs: 'ai', load: () => import('./ExperimentPage') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    quality: typeof pages;
  }
}

export const feature: Feature = {
  name: 'quality',
  pages,
  navigation: [{ label: 'quality', to: '/ai/quality', icon: IconListDetails, needs: 'ai', area: 'organization', order: 27 }],
  events: [{ on: ['ai.evaluation.updated'], stale: ['/ai/evaluations', '/ai/prompts'] }],
};
