import { type Feature, get, lateIcon, queries } from '@shell/first';

const icon = (name: keyof typeof import('./icons')) => lateIcon(() => import('./icons').then((all) => ({ default: all[name] })));
const needs = 'platform';
const area = 'platform';

const pages = [
  { path: '/admin/overview', needs, load: () => import('./Overview') },
  { path: '/admin/organizations', needs, load: () => import('./Organizations') },
  { path: '/admin/organizations/new', needs, load: () => import('./NewOrganization') },
  { path: '/admin/organizations/$id', needs, load: () => import('./Organization') },
  { path: '/admin/users', needs, load: () => import('./Users') },
  { path: '/admin/accounts', needs, load: () => import('./Accounts') },
  { path: '/admin/proxies', needs, load: () => import('./Proxies') },
  { path: '/admin/proxies/$id', needs, load: () => import('./Proxy') },
  { path: '/admin/campaigns', needs, load: () => import('./Campaigns') },
  { path: '/admin/campaigns/$id', needs, load: () => import('./Campaign') },
  { path: '/admin/queues', needs, load: () => import('./Queues') },
  { path: '/admin/queues/$name', needs, load: () => import('./Queue') },
  { path: '/admin/workers', needs, load: () => import('./Workers') },
  { path: '/admin/system', needs, load: () => import('./System') },
  { path: '/admin/abuse-reports', needs, load: () => import('./Reports') },
  { path: '/admin/support-sessions', needs, load: () => import('./SupportSessions') },
  { path: '/admin/support-sessions/$id', needs, load: () => import('./SupportAccesses') },
  { path: '/admin/billing', needs, load: () => import('./Billing') },
  { path: '/admin/ai', needs, load: () => import('./AIOverview') },
  { path: '/admin/ai/models', needs, load: () => import('./AIModels') },
  { path: '/admin/map-keys', needs, load: () => import('./MapKeys') },
  { path: '/admin/audit-logs', needs, load: () => import('./AuditLog') },
  { path: '/admin/settings', needs, load: () => import('./Settings') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    admin: typeof pages;
  }
}

export const feature: Feature = {
  name: 'admin',
  pages,
  navigation: [
    { label: 'overview', to: '/admin/overview', icon: icon('Gauge'), needs, area, order: 10 },
    { label: 'organizations', to: '/admin/organizations', icon: icon('Building'), needs, area, order: 20 },
    { label: 'users', to: '/admin/users', icon: icon('UsersGroup'), needs, area, order: 10, below: '/admin/organizations' },
    { label: 'campaigns', to: '/admin/campaigns', icon: icon('Speakerphone'), needs, area, order: 40 },
    { label: 'accounts', to: '/admin/accounts', icon: icon('DeviceMobile'), needs, area, order: 10, below: '/admin/campaigns' },
    { label: 'proxies', to: '/admin/proxies', icon: icon('Route2'), needs, area, order: 20, below: '/admin/campaigns' },
    { label: 'queues', to: '/admin/queues', icon: icon('Stack2'), needs, area, order: 10, below: '/admin/system' },
    { label: 'workers', to: '/admin/workers', icon: icon('ChartBar'), needs, area, order: 20, below: '/admin/system' },
    { label: 'system', to: '/admin/system', icon: icon('Server2'), needs, area, order: 90 },
    { label: 'reports', to: '/admin/abuse-reports', icon: icon('Flag'), needs, area, order: 100 },
    { label: 'support', to: '/admin/support-sessions', icon: icon('Eye'), needs, area, order: 10, below: '/admin/abuse-reports' },
    { label: 'billing', to: '/admin/billing', icon: icon('Receipt'), needs, area, order: 20, below: '/admin/organizations' },
    { label: 'ai', to: '/admin/ai', icon: icon('Sparkles'), needs, area, order: 95 },
    { label: 'aiModels', to: '/admin/ai/models', icon: icon('Tags'), needs, area, order: 10, below: '/admin/ai' },
    { label: 'mapKeys', to: '/admin/map-keys', icon: icon('Key'), needs, area: 'map', order: 40 },
    { label: 'audit', to: '/admin/audit-logs', icon: icon('History'), needs, area, order: 20, below: '/admin/abuse-reports' },
    { label: 'settings', to: '/admin/settings', icon: icon('Settings'), needs, area, order: 140 },
  ],
  commands: [
    { label: 'newOrganization', to: '/admin/organizations/new', icon: icon('BuildingPlus'), needs },
    { label: 'activeSupport', to: '/admin/support-sessions', icon: icon('AddressBook'), needs },
  ],
  async search(text) {
    const me = await queries.fetchQuery({ ...get('/me', {}), staleTime: Infinity });
    if (!me.user?.is_platform_admin || !me.mfa_verified) return [];
    const page = await queries.fetchQuery(get('/admin/organizations', { query: { q: text, limit: 5 } }));
    return page.data.map((o) => ({ id: o.id, label: o.name, description: o.owner?.email, to: `/admin/organizations/${o.id}` }));
  },
};
