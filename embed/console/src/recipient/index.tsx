import { get, type Feature, queries } from '@shell/first';
import { IconBan, IconFileImport, IconListDetails, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { nameOf, secondNameOf } from './name';

const pages = [
  { path: '/recipients', needs: 'recipients:read', load: () => import('./RecipientList') },
  { path: '/recipients/new', needs: 'recipients:manage', load: () => import('./NewRecipient'), within: '/recipients', full: true },
  { path: '/recipients/import', needs: 'recipients:manage', load: () => import('./import/ImportWizard') },
  { path: '/recipients/imports', needs: 'recipients:read', load: () => import('./import/Imports') },
  {
    path: '/recipients/imports/$id',
    needs: 'recipients:read',
    load: () => import('./import/ImportPage'),
    within: '/recipients/imports',
    full: true,
  },
  { path: '/recipients/lists', needs: 'recipients:read', load: () => import('./Lists') },
  { path: '/recipients/lists/$id', needs: 'recipients:read', load: () => import('./ListPage'), within: '/recipients/lists' },
  { path: '/recipients/tags', needs: 'recipients:read', load: () => import('./TagsPage') },
  { path: '/recipients/suppressions', needs: 'recipients:read', load: () => import('./Suppressions') },
  { path: '/recipients/$id', needs: 'recipients:read', load: () => import('./Person'), within: '/recipients' },
  { path: '/recipients/$id/edit', needs: 'recipients:manage', load: () => import('./EditRecipient'), within: '/recipients', full: true },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    recipient: typeof pages;
  }
}

export const feature: Feature = {
  name: 'recipient',
  pages,
  navigation: [{ label: 'recipients', to: '/recipients', icon: IconUsers, needs: 'recipients:read', area: 'work', order: 20 }],
  events: [
    { on: ['message.*'], stale: ['/recipients'] },
    { on: ['recipient.imported'], stale: ['/recipients', '/recipient-imports', '/lists'] },
    { on: ['recipient.opted_out'], stale: ['/recipients', '/suppressions', '/lists'] },
    { on: ['recipient.import_progress'], stale: ['/recipient-imports'] },
  ],
  commands: [
    { label: 'add', to: '/recipients/new', icon: IconUserPlus, needs: 'recipients:manage' },
    { label: 'import', to: '/recipients/import', icon: IconFileImport, needs: 'recipients:manage' },
    { label: 'lists', to: '/recipients/lists', icon: IconListDetails, needs: 'recipients:read' },
    { label: 'suppressions', to: '/recipients/suppressions', icon: IconBan, needs: 'recipients:read' },
  ],
  async search(text) {
    const page = await queries.fetchQuery(get('/recipients', { query: { q: text.replace(/^@/, ''), limit: 6 } }));
    return page.data.map((r) => ({ id: r.id, label: nameOf(r), description: secondNameOf(r), to: `/recipients/${r.id}` }));
  },
};
