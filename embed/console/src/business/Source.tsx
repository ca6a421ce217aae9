import { Skeleton, Stack, Text } from '@mantine/core';
import { Failed, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import type { KnowledgeSource } from './types';

const colours = { PENDING: 'WAITING', INGESTING: 'WAITING', READY: 'ACTIVE', FAILED: 'FAILED', DISABLED: 'OFF' } as const;

/** The state whose colour a source has. */
export const stateOf = (s: Pick<KnowledgeSource, 'status'>): string => colours[s.status];

/** The chunks of a source, as the seller reads them. */
export function Source({ id }: { id: string }) {
  const { t } = useTranslation('business');
  const { data, error, refetch } = useGet('/ai/knowledge/sources/{id}', { path: { id } });
  if (!data) return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={80} mt="sm" />;
  const chunks = data.chunks ?? [];
  return (
    <Stack gap="xs" mt="sm" role="list" aria-label={t('source.asRead')}>
      {chunks.length === 0 && <Text size="sm">{t('source.notRead')}</Text>}
      {chunks.map((c, i) => (
        <Text
          key={`${i} ${c.text.slice(0, 20)}`}
          role="listitem"
          size="sm"
          p="xs"
          bg="var(--mantine-color-default-hover)"
          style={{ whiteSpace: 'pre-wrap' }}
        >
          {c.text}
        </Text>
      ))}
    </Stack>
  );
}
