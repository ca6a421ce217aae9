import type { Feature } from '@shell/first';
import { IconDeviceMobilePlus, IconMessageCircle, IconRouteSquare } from '@tabler/icons-react';

const pages = [
  { path: '/accounts', needs: 'accounts:read', load: () => import('./AccountList') },
  { path: '/accounts/new', needs: 'accounts:manage', load: () => import('./NewAccount'), within: '/accounts', full: true },
  { path: '/accounts/$id', needs: 'accounts:read', load: () => import('./AccountPage'), within: '/accounts' },
  { path: '/accounts/$id/sign-in', needs: 'accounts:manage', load: () => import('./NewAccount'), within: '/accounts', full: true },
  { path: '/proxies', needs: 'proxies:read', load: () => import('./proxy/ProxyList') },
  { path: '/proxies/$id', needs: 'proxies:read', load: () => import('./proxy/ProxyPage') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    account: typeof pages;
  }
}

export const feature: Feature = {
  name: 'account',
  pages,
  navigation: [
    { label: 'accounts', to: '/accounts', icon: IconMessageCircle, needs: 'accounts:read', area: 'work', order: 70 },
    { label: 'proxies', to: '/proxies', icon: IconRouteSquare, needs: 'proxies:read', area: 'work', order: 10, below: '/accounts' },
  ],
  events: [{ on: ['account.*'], stale: ['/accounts', '/proxies'] }],
  commands: [{ label: 'connect', to: '/accounts/new', icon: IconDeviceMobilePlus, needs: 'accounts:manage' }],
};
