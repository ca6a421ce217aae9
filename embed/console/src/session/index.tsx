import type { Feature } from '@shell/first';
import { IconKey, IconUser } from '@tabler/icons-react';

const pages = [
  { path: '/profile', load: () => import('./Profile') },
  { path: '/api-keys', needs: 'developers:manage', load: () => import('./Keys') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    session: typeof pages;
  }
}

export const feature: Feature = {
  name: 'session',
  pages,
  navigation: [{ label: 'keys', to: '/api-keys', icon: IconKey, needs: 'developers:manage', area: 'developers', order: 10 }],
  commands: [{ label: 'profile', to: '/profile', icon: IconUser }],
};
