import type { Feature } from '@shell/first';
import { IconHistory } from '@tabler/icons-react';

const pages = [{ path: '/audit-log', needs: 'audit:read', load: () => import('./AuditLog') }] as const;
declare module '@shell/addresses' {
  interface Pages {
    audit: typeof pages;
  }
}

export const feature: Feature = {
  name: 'audit',
  pages,
  navigation: [{ label: 'audit', to: '/audit-log', icon: IconHistory, needs: 'audit:read', area: 'organization', order: 30 }],
};
