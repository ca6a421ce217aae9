import { call, type StreamEvent, useEvents, useMe } from '@shell';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';
import { useColleagues } from './people';

/** ms between two words to colleagues that somebody writes; each of them holds for five seconds. */
const saidEvery = 3000;
const holds = 5000;
const types = ['ai.conversation.typing'] as const;

interface Said {
  conversation_id?: string;
  by?: { id?: string } | null;
}

/** Tells colleagues that this person writes an answer: call it with each change of the text. */
export function useSayTyping(id: string): () => void {
  const last = useRef(0);
  return useCallback(() => {
    const now = Date.now();
    if (now - last.current < saidEvery) return;
    last.current = now;
    void call('post', '/ai/conversations/{id}/typing', { path: { id } }).catch(() => {}); // the next word says it again
  }, [id]);
}

/** Which colleagues write an answer in the same conversation, so that two do not answer at once. */
export function Typing({ conversation: id }: { conversation: string }) {
  const { t } = useTranslation('inbox');
  const { user } = useMe();
  const [who, setWho] = useState<Readonly<Record<string, number>>>({});
  const ids = Object.keys(who);
  const people = useColleagues(ids.length > 0);
  useEvents(types, (e: StreamEvent) => {
    const said = (e.data as { data?: Said } | undefined)?.data;
    const by = said?.by?.id;
    if (said?.conversation_id === id && by && by !== user?.id) setWho((old) => ({ ...old, [by]: Date.now() + holds }));
  });
  useEffect(() => {
    const next = Math.min(...Object.values(who));
    if (!Number.isFinite(next)) return undefined;
    const drop = () => setWho((old) => Object.fromEntries(Object.entries(old).filter(([, until]) => until > Date.now())));
    const timer = setTimeout(drop, Math.max(0, next - Date.now()) + 10);
    return () => clearTimeout(timer);
  }, [who]);
  const names = ids.map((x) => people.find((p) => p.id === x)?.name ?? t('author.HUMAN'));
  return (
    <div className={classes.typing} role="status">
      {names.length > 0 && t('typing', { count: names.length, names: names.join(', ') })}
    </div>
  );
}
