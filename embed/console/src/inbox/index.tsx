import type { Feature } from '@shell/first';
import { IconInbox } from '@tabler/icons-react';

const pages = [
  { path: '/inbox', needs: 'ai:read', load: () => import('./InboxList'), near: true },
  { path: '/inbox/$id', needs: 'ai:read', load: () => import('./ConversationPage'), within: '/inbox' },
] as const;
declare module '@shell/addresses' {
  interface Pages {
    inbox: typeof pages;
  }
}

export const feature: Feature = {
  name: 'inbox',
  pages,
  navigation: [
    { label: 'inbox', to: '/inbox', icon: IconInbox, needs: 'ai:read', area: 'work', order: 30, count: () => import('./UnreadCount') },
  ],
  // The open conversation hears events itself (live.ts): it changes where it is. These are the lists and their counts.
  events: [
    {
      on: [
        'ai.conversation.message',
        'ai.conversation.message_updated',
        'ai.conversation.attachment_ready',
        'ai.conversation.state',
        'ai.conversation.opted_out',
        'ai.conversation.read',
        'ai.conversation.assigned',
        'ai.handoff.created',
        'ai.handoff.updated',
        'ai.reply.drafted',
        'ai.draft.updated',
        'ai.stage.changed',
      ],
      stale: ['/ai/conversations', '/ai/inbox/views'],
    },
    { on: ['ai.turn.completed', 'ai.lead.updated'], stale: ['/ai/executions'] },
    // Notes and who writes now are of the open conversation alone, which hears them itself: no list shows them.
    { on: ['ai.conversation.noted', 'ai.conversation.typing'], patch: () => {} },
  ],
};
