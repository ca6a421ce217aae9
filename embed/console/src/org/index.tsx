import type { Feature } from '@shell/first';
import { IconBuilding, IconUsersGroup } from '@tabler/icons-react';

const pages = [
  { path: '/settings', needs: 'org:read', load: () => import('./Settings') },
  { path: '/settings/usage', needs: 'billing:read', load: () => import('./Usage') },
  { path: '/settings/policy', needs: 'org:read', load: () => import('./Policy') },
  { path: '/settings/support', needs: 'audit:read', load: () => import('./Support') },
  { path: '/settings/support/$id', needs: 'audit:read', load: () => import('./Accesses') },
  { path: '/members', needs: 'members:read', load: () => import('./Members') },
  { path: '/members/invitations', needs: 'members:read', load: () => import('./Invitations') },
  { path: '/members/roles', needs: 'members:read', load: () => import('./Roles') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    org: typeof pages;
  }
}

export const feature: Feature = {
  name: 'org',
  pages,
  navigation: [
    { label: 'organization', to: '/settings', icon: IconBuilding, needs: 'org:read', area: 'organization', order: 10 },
    { label: 'members', to: '/members', icon: IconUsersGroup, needs: 'members:read', area: 'organization', order: 20 },
  ],
  commands: [{ label: 'invite', to: '/members/invitations', icon: IconUsersGroup, needs: 'members:manage' }],
};
