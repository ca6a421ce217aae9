import type { Feature } from '@shell/first';
import { IconHistory } from '@tabler/icons-react';

export const feature: Feature = {
  name: 'audit',
  pages: [{ path: '/audit-log', needs: 'audit:read', load: () => import('./AuditLog') }],
  navigation: [{ label: 'audit', to: '/audit-log', icon: IconHistory, needs: 'audit:read', area: 'organization', order: 30 }],
};
