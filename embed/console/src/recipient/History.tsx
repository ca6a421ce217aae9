import { Button, Center, Skeleton } from '@mantine/core';
import { Empty, Failed, Link, type Moment, NamedThing, type Schema, Status, Timeline, useGet } from '@shell';
import { IconBan, IconFileImport, IconHandStop, IconMessage, IconMessageReply, IconShieldCheck, IconUserPlus } from '@tabler/icons-react';
import i18next, { type TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

type Entry = Schema<'RecipientHistory'>;

const step = 30;
const most = 500;
const icons = {
  CREATED: IconUserPlus,
  IMPORTED: IconFileImport,
  CONSENT: IconShieldCheck,
  OPTED_OUT: IconHandStop,
  MESSAGE: IconMessage,
  REPLY: IconMessageReply,
  SUPPRESSION_REMOVED: IconBan,
};

/** Consent, messages and replies of a person, newest first. */
export function History({ id }: { id: string }) {
  const { t } = useTranslation('recipient');
  const [limit, setLimit] = useState(step);
  const { data, error, isFetching, refetch } = useGet('/recipients/{id}/history', { path: { id }, query: { limit } }, { keep: true });
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={120} />;
  if (data.data.length === 0) return <Empty title={t('history.empty')} />;
  const moments = data.data.map((e, i): Moment => {
    const Icon = icons[e.kind];
    return {
      key: `${e.at}.${e.kind}.${data.total - i}`,
      at: e.at,
      title: t(`history.${e.kind}`),
      text: <Words entry={e} t={t} />,
      icon: <Icon size={15} aria-hidden />,
    };
  });
  return (
    <>
      <Timeline moments={moments} />
      {data.total > data.data.length && limit < most && (
        <Center mt="md">
          <Button variant="default" loading={isFetching} onClick={() => setLimit((n) => Math.min(most, n + step))}>
            {t('history.more', { count: data.total - data.data.length })}
          </Button>
        </Center>
      )}
    </>
  );
}

function Words({ entry: e, t }: { entry: Entry; t: TFunction<'recipient'> }) {
  const consent =
    e.consent_status &&
    (e.previous_consent_status && e.previous_consent_status !== e.consent_status
      ? t('history.changed', { from: t(`consent.${e.previous_consent_status}`), to: t(`consent.${e.consent_status}`) })
      : t(`consent.${e.consent_status}`));
  return (
    <>
      {consent}
      {e.campaign && (
        <>
          {' '}
          <NamedThing of={e.campaign} />
        </>
      )}
      {e.account && (
        <>
          {' '}
          · <NamedThing of={e.account} />
        </>
      )}
      {e.status && (
        <>
          {' '}
          · <Status state={e.status} label={statusWord(t, e.status)} />
        </>
      )}
      {e.import_id && (
        <>
          {' '}
          ·{' '}
          <Link to={`/recipients/imports/${e.import_id}`} style={{ color: 'var(--mantine-color-anchor)' }}>
            {t('history.import')}
          </Link>
        </>
      )}
      {e.source && !e.import_id && <> · {sourceWord(t, e.source)}</>}
      {e.note && <> · {e.note}</>}
      {e.actor && <> · {t('history.by', { name: e.actor })}</>}
    </>
  );
}

/** Where a change came from: a way to add people, or a way to opt out. */
function sourceWord(t: TFunction<'recipient'>, source: string): string {
  for (const key of [`suppression.source.${source}`, `source.${source}`]) {
    if (i18next.exists(key, { ns: 'recipient' })) return t(key as never);
  }
  return source.toLowerCase();
}

function statusWord(t: TFunction<'recipient'>, status: string): string {
  const key = `status.${status}`;
  return i18next.exists(key, { ns: 'recipient' }) ? t(key as never) : status.toLowerCase();
}
