// What a notification says: by its kind in the language of the reader, else in the
// words of the service.
import { type Href, type Schema, usePageOf } from '@shell';
import { useRouter } from '@tanstack/react-router';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';

export type Notice = Schema<'NotifyShown'>;

export const colors: Record<string, string> = { INFO: 'blue', WARNING: 'yellow', CRITICAL: 'red' };

export function useNoticeWords(): (n: Notice) => { title: string; text: string } {
  const { t } = useTranslation('notify');
  return (n) =>
    i18next.exists(`kind.${n.kind}.title`, { ns: 'notify' })
      ? { title: t(`kind.${n.kind}.title`), text: t(`kind.${n.kind}.text`) }
      : { title: n.title, text: n.body };
}

/** Where a notification leads: its thing, or the page that it names. */
export function useWay(): (n: Notice) => Href | undefined {
  const { routesByPath } = useRouter();
  const pageOf = usePageOf();
  return (n) => (n.resource && pageOf(n.resource.id)) ?? (n.link && n.link in routesByPath ? (n.link as Href) : undefined);
}
