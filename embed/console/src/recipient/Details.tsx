import { Code, DataList, Paper, Title } from '@mantine/core';
import { Inline, Num, Tag, ThingById, When } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageName } from './choices';
import type { Recipient } from './name';

export function Details({ recipient: r }: { recipient: Recipient }) {
  const { t } = useTranslation('recipient');
  const attributes = Object.entries(r.attributes ?? {});
  return (
    <Paper mb="md">
      <Title order={2} mb="sm">
        {t('details')}
      </Title>
      <DataList orientation="horizontal" labelWidth="min(150px, 45%)">
        <Line label={t('field.username')}>{r.username && `@${r.username}`}</Line>
        <Line label={t('field.messengerId')}>{r.messenger_id !== null && <Code>{r.messenger_id}</Code>}</Line>
        <Line label={t('field.language')}>{r.language && languageName(t, r.language)}</Line>
        <Line label={t('column.tags')}>
          {r.tags.length > 0 && (
            <Inline>
              {r.tags.map((tag) => (
                <Tag key={tag}>{tag}</Tag>
              ))}
            </Inline>
          )}
        </Line>
        <Line label={t('column.lists')}>{r.lists.map((l) => l.name).join(', ')}</Line>
        <Line label={t('field.consentAt')}>{r.consent_timestamp && <When at={r.consent_timestamp} exact />}</Line>
        <Line label={t('field.note')}>{r.consent_note}</Line>
        {r.opted_out_at && (
          <Line label={t('optedOutAt')}>
            <When at={r.opted_out_at} exact />
          </Line>
        )}
        <Line label={t('field.source')}>{t(`source.${r.source}`)}</Line>
        <Line label={t('knownTo')}>{r.known_to_accounts.length > 0 && <Accounts ids={r.known_to_accounts} />}</Line>
        <Line label={t('column.messaged')}>{r.last_messaged_at && <When at={r.last_messaged_at} />}</Line>
        <Line label={t('replied')}>{r.last_replied_at && <When at={r.last_replied_at} />}</Line>
        <Line label={t('column.created')}>
          <When at={r.created_at} exact />
        </Line>
        {attributes.map(([key, value]) => (
          <Line key={key} label={key}>
            {typeof value === 'number' ? <Num value={value} /> : typeof value === 'string' ? value : JSON.stringify(value)}
          </Line>
        ))}
      </DataList>
    </Paper>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{children || '–'}</DataList.ItemValue>
    </DataList.Item>
  );
}

const shown = 3;

function Accounts({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation('recipient');
  return (
    <>
      {ids.slice(0, shown).map((id, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <ThingById id={id} />
        </span>
      ))}
      {ids.length > shown && ` ${t('andMore', { count: ids.length - shown })}`}
    </>
  );
}
