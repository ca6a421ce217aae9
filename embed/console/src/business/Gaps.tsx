import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, type Schema, useAction, useCan, useGet, When } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

export type Gap = Schema<'GapShown'>;

/** Shown at once; the others when they are wanted. */
const few = 5;

/** What customers asked and nothing answered, what was asked most first: each becomes an answer, or is taken off. */
export function Gaps({ business, onAnswer }: { business: string; onAnswer: (g: Gap) => void }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [all, setAll] = useState(false);
  const { data } = useGet(
    '/ai/knowledge/gaps',
    { query: { business_id: business, sort: '-count', limit: all ? 100 : few } },
    { keep: true },
  );
  const off = useAction('delete', '/ai/knowledge/gaps/{id}', { stale: ['/ai/knowledge/gaps'], done: t('gap.gone') });
  if (!data || data.total === 0) return null;
  return (
    <Paper component="section" aria-label={t('gap.title')}>
      <Title order={2} size="h4">
        {t('gap.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('gap.lead')}
      </Text>
      <Stack gap="sm">
        {data.data.map((g) => (
          <Group key={g.id} justify="space-between" align="flex-start" gap="xs" data-gap={g.count}>
            <div style={{ minWidth: 0, flex: '1 1 240px' }}>
              <Text size="sm" fw={600} lang={g.language ?? undefined} style={{ overflowWrap: 'anywhere' }}>
                {g.question}
              </Text>
              <Text size="xs" c="dimmed">
                {t('gap.asked', { count: g.count })} · <When at={g.last_asked_at} /> ·{' '}
                <Link to={`/inbox/${g.conversation_id}`}>{t('gap.conversation')}</Link>
              </Text>
            </div>
            {may && (
              <Group gap={4}>
                <Button size="compact-sm" variant="default" onClick={() => onAnswer(g)}>
                  {t('gap.answer')}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  loading={off.pending}
                  onClick={() => void off.run({ path: { id: g.id } })}
                >
                  {t('gap.off')}
                </Button>
              </Group>
            )}
          </Group>
        ))}
      </Stack>
      {!all && data.total > few && (
        <Button variant="default" size="compact-sm" mt="sm" onClick={() => setAll(true)}>
          {t('gap.more', { count: data.total - few })}
        </Button>
      )}
    </Paper>
  );
}
