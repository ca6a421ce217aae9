import type { Feature } from '@shell/first';
import { IconHistory } from '@tabler/icons-react';

const pages = [{ path: '/calendar', needs: 'ai:read', load: () => import('./CalendarPage') }] as const;
declare module '@shell/addresses' {
  interface Pages {
    calendar: typeof pages;
  }
}

export const feature: Feature = {
  name: 'calendar',
  pages,
  navigation: [{ label: 'calendar', to: '/calendar', icon: IconHistory, needs: 'ai:read', area: 'work', order: 34 }],
  events: [{ on: ['ai.calendar.action_created', 'ai.calendar.action_updated'], stale: ['/ai/calendar'] }],
};
