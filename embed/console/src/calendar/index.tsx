import type { Feature } from '@shell/first';
import { IconCalendarEvent } from '@tabler/icons-react';

const pages = [{ path: '/calendar', needs: 'ai:read', load: () => import('./CalendarPage') }] as const;
declare module '@shell/addresses' {
  interface Pages {
    calendar: typeof pages;
  }
}

export const feature: Feature = {
  name: 'calendar',
  pages,
  navigation: [{ label: 'calendar', to: '/calendar', icon: IconCalendarEvent, needs: 'ai:read', area: 'work', order: 34 }],
  events: [
    {
      on: ['ai.calendar.connected', 'ai.calendar.disconnected', 'ai.calendar.action_created', 'ai.calendar.action_updated'],
      stale: ['/ai/calendar', '/ai/calendar/actions'],
    },
  ],
};
