import { VisuallyHidden } from '@mantine/core';
import { type StreamEvent, useEvents, useFormat, useGet } from '@shell';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './list.module.css';
import { sound } from './sound';

/** ms: a figure on every page need not change with every message. */
const rest = 5000;
const arrivals = ['ai.conversation.message'] as const;

/** How many conversations are unread: beside the name in the navigation, and in the title of the tab. It sounds when a customer writes. */
export default function UnreadCount({ bar }: { bar?: true }) {
  const { t } = useTranslation('inbox');
  const f = useFormat();
  const { data } = useGet('/ai/conversations', { query: { unread: 'true', limit: 1 } }, { rest });
  const count = data?.total ?? 0;
  useTitle(count);
  useEvents(arrivals, (e: StreamEvent) => {
    if ((e.data as { data?: { author?: string } } | undefined)?.data?.author === 'CUSTOMER') sound();
  });
  if (count === 0) return null;
  return (
    <span className={classes.count} data-bar={bar}>
      <span aria-hidden>{count > 99 ? '99+' : f.number(count)}</span>
      <VisuallyHidden>{t('unreadCount', { count })}</VisuallyHidden>
    </span>
  );
}

const mark = /^\(\d+\+?\) /;

/** "(3) Inbox · svc": pages set the title, this puts the figure before it. */
function useTitle(count: number): void {
  useEffect(() => {
    const put = () => {
      const plain = document.title.replace(mark, '');
      const next = count > 0 ? `(${count > 99 ? '99+' : count}) ${plain}` : plain;
      if (document.title !== next) document.title = next;
    };
    put();
    const title = document.querySelector('title');
    if (!title) return undefined;
    const watch = new MutationObserver(put);
    watch.observe(title, { childList: true });
    return () => watch.disconnect();
  }, [count]);
}
