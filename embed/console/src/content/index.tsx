import { get, type Feature, queries } from '@shell/first';
import { IconTemplate } from '@tabler/icons-react';

const pages = [
  { path: '/templates', needs: 'campaigns:read', load: () => import('./TemplateList') },
  { path: '/templates/new', needs: 'campaigns:manage', load: () => import('./NewTemplate'), within: '/templates', full: true },
  { path: '/templates/$id', needs: 'campaigns:read', load: () => import('./TemplatePage'), within: '/templates' },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    content: typeof pages;
  }
}

export const feature: Feature = {
  name: 'content',
  pages,
  navigation: [{ label: 'templates', to: '/templates', icon: IconTemplate, needs: 'campaigns:read', area: 'work', order: 40 }],
  commands: [{ label: 'add', to: '/templates/new', icon: IconTemplate, needs: 'campaigns:manage' }],
  async search(text) {
    if (text.length < 2) return [];
    const page = await queries.fetchQuery(get('/templates', { query: { q: text, limit: 4 } }));
    return page.data.map((t) => ({ id: t.id, label: t.name, to: `/templates/${t.id}` }));
  },
};
