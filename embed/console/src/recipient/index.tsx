import { get, type Feature, queries } from '@shell/first';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { nameOf, secondNameOf } from './name';

export const feature: Feature = {
  name: 'recipient',
  pages: [
    { path: '/recipients', needs: 'recipients:read', load: () => import('./RecipientList') },
    { path: '/recipients/new', needs: 'recipients:manage', load: () => import('./NewRecipient') },
    { path: '/recipients/$id', needs: 'recipients:read', load: () => import('./Person') },
    { path: '/recipients/$id/edit', needs: 'recipients:manage', load: () => import('./EditRecipient') },
  ],
  navigation: [{ label: 'recipients', to: '/recipients', icon: IconUsers, needs: 'recipients:read', group: 'work', order: 20 }],
  commands: [{ label: 'add', to: '/recipients/new', icon: IconUserPlus, needs: 'recipients:manage' }],
  async search(text) {
    const page = await queries.fetchQuery(get('/recipients', { query: { q: text.replace(/^@/, ''), limit: 6 } }));
    return page.data.map((r) => ({ id: r.id, label: nameOf(r), description: secondNameOf(r), to: `/recipients/${r.id}` }));
  },
};
