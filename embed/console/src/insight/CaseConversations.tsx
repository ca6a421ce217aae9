import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { Failed, Link, useGet, When } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Asked, Board } from './types';

/** How many are listed at first, and are added with each key press. */
const step = 20;

/** The conversations that a row of a board counts, those whose customer wrote last first. */
export function CaseConversations({ board: b, asked }: { board: Board; asked: Asked }) {
  const { t } = useTranslation('insight');
  const [limit, setLimit] = useState(step);
  const { data, error, refetch } = useGet(
    '/ai/insights/boards/{board}/cases/{case_id}/conversations',
    {
      path: { board: b.board, case_id: asked.of ?? '' },
      query: {
        from: b.from,
        to: b.to,
        limit,
        ...(b.channel && { channel: b.channel }),
        ...(b.business_id && { business_id: b.business_id }),
      },
    },
    { keep: true },
  );
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={120} mt="sm" />;
  return (
    <Stack gap="xs" mt="sm" role="list" aria-label={t('board.conversations')}>
      {data.data.map((x) => (
        <div key={x.conversation_id} role="listitem" data-conversation={x.contact_name}>
          <Anchor component={Link} to={`/inbox/${x.conversation_id}`} fw={600} size="sm">
            {x.contact_name}
          </Anchor>
          {x.last_message && (
            <Text size="sm" c="dimmed" lineClamp={1}>
              {x.last_message.text || '…'} · <When at={x.last_message.at} />
            </Text>
          )}
        </div>
      ))}
      {data.total === 0 && <Text size="sm">{t('board.noConversations')}</Text>}
      {data.total > data.data.length && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => setLimit(limit + step)}>
            {t('board.more', { count: data.total - data.data.length })}
          </Button>
        </div>
      )}
    </Stack>
  );
}
