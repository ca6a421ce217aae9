import type { Feature } from '@shell/first';
import { IconCalendar } from '@tabler/icons-react';

const pages = [{ path: '/calendar', needs: 'ai', load: () => import('./CalendarPage') }] as const;
declare module '@shell/addresses' {
  interface Pages {
    calendar: typeof pages;
  }
}

export const feature: Feature = {
  name: 'calendar',
  pages,
  navigation: [{ label: 'calendar', to: '/calendar', icon: IconCalendar, needs: 'ai', area: 'work', order: 10, below: '/inbox' }],
  events: [
    {
      on: ['ai.calendar.connected', 'ai.calendar.disconnected', 'ai.calendar.action_created', 'ai.calendar.action_updated'],
      stale: ['/ai/calendar'],
    },
  ],
};
