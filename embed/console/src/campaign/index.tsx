import { get, type Feature, queries } from '@shell/first';
import { progress } from './progress';
import { IconListDetails, IconSend2, IconSpeakerphone } from '@tabler/icons-react';

const pages = [
  { path: '/campaigns', needs: 'campaigns:read', load: () => import('./CampaignList') },
  { path: '/campaigns/new', needs: 'campaigns:manage', load: () => import('./NewCampaign'), within: '/campaigns', full: true },
  { path: '/campaigns/$id', needs: 'campaigns:read', load: () => import('./CampaignPage'), within: '/campaigns' },
  { path: '/campaigns/$id/edit', needs: 'campaigns:manage', load: () => import('./edit/Editor'), within: '/campaigns', full: true },
  { path: '/campaigns/$id/checks', needs: 'campaigns:manage', load: () => import('./Checks'), within: '/campaigns', full: true },
  { path: '/campaigns/$id/rehearsal', needs: 'campaigns:manage', load: () => import('./Rehearsal'), within: '/campaigns', full: true },
  { path: '/jobs', needs: 'campaigns:read', load: () => import('./Jobs') },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    campaign: typeof pages;
  }
}

export const feature: Feature = {
  name: 'campaign',
  pages,
  navigation: [
    { label: 'campaigns', to: '/campaigns', icon: IconSpeakerphone, needs: 'campaigns:read', area: 'work', order: 10 },
    { label: 'jobs', to: '/jobs', icon: IconListDetails, needs: 'campaigns:read', area: 'work', order: 10, below: '/campaigns' },
  ],
  events: [
    { on: ['campaign.progress'], patch: progress },
    {
      on: [
        'campaign.scheduled',
        'campaign.started',
        'campaign.resumed',
        'campaign.paused',
        'campaign.completed',
        'campaign.cancelled',
        'campaign.failed',
        'message.*',
      ],
      stale: ['/campaigns', '/jobs'],
    },
  ],
  commands: [{ label: 'add', to: '/campaigns/new', icon: IconSend2, needs: 'campaigns:manage' }],
  async search(text) {
    const page = await queries.fetchQuery(get('/campaigns', { query: { q: text, limit: 6 } }));
    return page.data.map((c) => ({ id: c.id, label: c.name, to: `/campaigns/${c.id}` }));
  },
};
