import type { Schema } from '@shell';
import i18next from 'i18next';
import { wordOr } from './parts';

type Alert = Pick<Schema<'AdminAlert'>, 'kind' | 'title' | 'link'>;

/** What the sentence of an alert names: its number, which the API writes last, and the queue that it leads to. */
export function namesOf(a: Alert): { count: number; queue: string } {
  return { count: Number(a.title.match(/\d+/g)?.at(-1) ?? 0), queue: /^\/admin\/queues\/(\w+)/.exec(a.link)?.[1] ?? '' };
}

/** An alert in the language of the person; one that we have no words for as the API says it. */
export function alertText(a: Alert): string {
  const { count, queue } = namesOf(a);
  const key = `alert.${a.kind}`;
  const known = i18next.exists(key, { ns: 'admin', count });
  return known ? i18next.t(key as never, { ns: 'admin', count, queue: wordOr(`queue.${queue}`, queue) }) : a.title;
}
