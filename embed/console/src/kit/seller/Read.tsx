import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link, Status, useFormat, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Execution } from './turn';
import classes from './why.module.css';
import { factWord } from './words';

type Chunk = NonNullable<Execution['knowledge']>[number];

/** The parts of the knowledge that were read for the answer, the best first. */
export function Knowledge({ of, used }: { of: readonly Chunk[]; used: readonly string[] }) {
  const { t } = useTranslation('kit');
  if (of.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('why.noKnowledge')}
      </Text>
    );
  return (
    <ul className={classes.list}>
      {of.map((c) => {
        const id = `${c.source_id}/${c.version}/${c.chunk}`;
        return (
          <li key={id} className={classes.chunk} data-chunk={id}>
            <Source chunk={c} used={used.includes(id)} />
          </li>
        );
      })}
    </ul>
  );
}

function Source({ chunk: c, used }: { chunk: Chunk; used: boolean }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  const { data: s, error } = useGet('/ai/knowledge/sources/{id}', { path: { id: c.source_id } });
  const text = s && (s.type === 'OFFERS' || s.published_version === c.version) ? s.chunks?.find((x) => x.n === c.chunk)?.text : undefined;
  return (
    <>
      <Group gap={6}>
        {s ? (
          <Text size="sm" fw={600}>
            <Link to={`/ai/businesses/${s.business_id}`} search={{ tab: 'knowledge', source: s.id }}>
              {s.title}
            </Link>
          </Text>
        ) : (
          !error && <Skeleton h={14} w={140} />
        )}
        <Text size="xs" c="dimmed">
          {t('why.chunk', { n: c.chunk + 1, score: f.number(Math.round(c.score * 1000) / 1000) })}
        </Text>
        {used && <Status state="ACTIVE" label={t('why.used')} />}
      </Group>
      {text && (
        <Text size="sm" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      )}
      {(error || (s && !text)) && (
        <Text size="xs" c="dimmed">
          {t('why.chunkGone')}
        </Text>
      )}
    </>
  );
}

/** As many offers as one answer brings. */
const mostOffers = 100;

/** The offers that the reply names. */
export function Offers({ ids, business }: { ids: readonly string[]; business: string }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  const { data } = useGet('/ai/businesses/{id}/offers', { path: { id: business }, query: { limit: mostOffers } });
  if (!data) return <Skeleton h={20} />;
  return (
    <ul className={classes.list}>
      {ids.map((id) => {
        const o = data.data.find((x) => x.id === id);
        const price = o?.price === null || o?.price === undefined ? undefined : `${f.number(Number(o.price))} ${o.currency ?? ''}`;
        return (
          <li key={id} data-used-offer={id}>
            <Text size="sm">{o ? [o.name, price].filter(Boolean).join(' · ') : t('why.offerGone')}</Text>
          </li>
        );
      })}
    </ul>
  );
}

/** What was known of the customer then, as far as it is known still. */
export function Memory({ ids, conversation }: { ids: readonly string[]; conversation: string }) {
  const { t } = useTranslation('kit');
  const { data } = useGet('/ai/memory', { query: { conversation_id: conversation, limit: 100 } });
  if (!data) return <Skeleton h={20} />;
  const known = data.data.filter((m) => ids.includes(m.id));
  return (
    <Stack gap={2}>
      {known.map((m) => (
        <Text key={m.id} size="sm">
          {factWord(m.key)}: {m.value}
        </Text>
      ))}
      {known.length < ids.length && (
        <Text size="xs" c="dimmed">
          {t('why.memoryGone', { count: ids.length - known.length })}
        </Text>
      )}
    </Stack>
  );
}
