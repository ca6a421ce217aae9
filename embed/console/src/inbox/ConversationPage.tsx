import { Alert, Button, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { call, Failed, late, NotFound, Page, SideDialog, useCan } from '@shell';
import { useParams } from '@tanstack/react-router';
import { type RefObject, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DraftCard } from './DraftCard';
import { HandoffCard } from './HandoffCard';
import { Header } from './Header';
import classes from './inbox.module.css';
import { useLive } from './live';
import { Messages } from './Messages';
import { Notes } from './Notes';
import { change, useOpened } from './opened';
import type { Quoted } from './outbox';
import { PersonPanel } from './PersonPanel';
import { Reply } from './Reply';
import { firstUnread } from './rows';
import { useDraft } from './drafts';
import type { Message, Opened } from './types';

const AnalysisPanel = late(() => import('./AnalysisPanel'));

/** Where there is room for the list, a conversation and a person. */
const three = '(min-width: 90em)';

/** One conversation: what was said, the answer, and who it is with. */
export default function ConversationPage() {
  const { t } = useTranslation('inbox');
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useOpened(id);
  if (error?.status === 404) return <NotFound />;
  if (data) return <Conversation key={id} of={data} />;
  return (
    <Page title={t('conversation')} above={[{ label: t('title'), to: '/inbox' }]}>
      {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
    </Page>
  );
}

function Conversation({ of: o }: { of: Opened }) {
  const { t } = useTranslation('inbox');
  const wide = useMediaQuery(three, undefined, { getInitialValueInEffect: false });
  const [person, setPerson] = useState(false);
  const [draft, setDraft] = useDraft(o.id);
  const page = useRef<HTMLDivElement>(null);
  useTop(page);
  const unread = useUnread(o);
  const can = useCan();
  const may = can('ai:operate') && o.reply.quotes && o.reply.allowed;
  useWindowEnd(o);
  const quote = useCallback(
    (m: Message) => {
      setDraft({ quote: quotedOf(m) });
      document.getElementById('reply-text')?.focus();
    },
    [setDraft],
  );
  useEffect(() => {
    document.title = `${o.contact.name} · svc`;
  }, [o.contact.name]);
  return (
    <div ref={page} className={classes.page} data-wide={wide || undefined}>
      <section className={classes.talk} aria-label={t('conversation')}>
        <Header of={o} onPerson={wide ? undefined : () => setPerson(true)} />
        {o.handoff && <HandoffCard of={o.handoff} conversation={o} />}
        {o.personal && (
          <Alert className={classes.notice} color="gray" p="xs">
            {t('personal.about')}
          </Alert>
        )}
        <Messages of={o} unread={unread} onQuote={may ? quote : undefined} />
        {o.draft && can('ai') && <DraftCard key={o.draft.id} of={o.draft} most={o.reply.max_length} />}
        <Reply of={o} draft={draft} onDraft={setDraft} />
      </section>
      {wide && (
        <aside className={classes.person} aria-label={t('person.title')}>
          <Notes conversation={o.id} />
          <PersonPanel of={o} />
          <Suspense fallback={null}>
            <AnalysisPanel of={o} />
          </Suspense>
        </aside>
      )}
      {person && !wide && (
        <SideDialog title={t('person.title')} onClose={() => setPerson(false)}>
          <Notes conversation={o.id} />
          <PersonPanel of={o} />
          <Suspense fallback={null}>
            <AnalysisPanel of={o} />
          </Suspense>
          <Button variant="default" mt="md" fullWidth onClick={() => setPerson(false)}>
            {t('person.close')}
          </Button>
        </SideDialog>
      )}
    </div>
  );
}

/** How far below the top of the window the page begins: banners come and go above it. */
function useTop(page: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const main = document.querySelector('main');
    const set = () => {
      const top = (page.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
      page.current?.style.setProperty('--page-top', `${Math.max(0, top)}px`);
    };
    set();
    const watch = new ResizeObserver(set);
    for (const part of main?.children ?? []) watch.observe(part);
    return () => watch.disconnect();
  }, [page]);
}

const quotedOf = (m: Message): Quoted => ({ id: m.id, author: m.author, preview: (m.text ?? '').slice(0, 120) });

/**
 * Where what nobody has read begins. It is found when the conversation is opened and stays there; the conversation is
 * marked read while somebody looks at it. Who may not answer reads without a trace.
 */
function useUnread(o: Opened): string | undefined {
  const [first] = useState(() => firstUnread(o.messages, o.unread_count));
  const may = useCan()('ai:operate');
  const { id } = o;
  const marking = useRef(false);
  const mark = useCallback(() => {
    if (!may || marking.current || document.visibilityState !== 'visible') return;
    marking.current = true;
    change(id, (now) => ({ ...now, unread_count: 0 }));
    void call('post', '/ai/conversations/{id}/read', { path: { id } })
      .catch(() => {}) // it stays unread, and the next look marks it
      .finally(() => {
        marking.current = false;
      });
  }, [id, may]);
  useEffect(() => {
    if (o.unread_count === 0) return undefined;
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [o.unread_count, mark]);
  useLive(
    id,
    useCallback(() => {}, []),
  );
  return first;
}

/** The longest wait that a timer takes, in ms. */
const longest = 2 ** 31 - 1;

/** When the reply window closes, what may be done is asked again. */
function useWindowEnd(o: Opened): void {
  const { refetch } = useOpened(o.id);
  const ends = o.reply.allowed && o.reply.basis === 'REPLY_WINDOW' ? o.reply.window_ends_at : null;
  useEffect(() => {
    const left = ends ? Date.parse(ends) - Date.now() + 1000 : 0;
    if (left <= 0 || left > longest) return undefined;
    const timer = setTimeout(() => void refetch(), left);
    return () => clearTimeout(timer);
  }, [ends, refetch]);
}
