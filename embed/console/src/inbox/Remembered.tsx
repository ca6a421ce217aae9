import { ActionIcon, Button, Group, Skeleton, Text } from '@mantine/core';
import { factWord } from '@kit';
import { Confirm, type Schema, useAction, useCan, useFormat, useGet } from '@shell';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';

type Fact = Schema<'MemoryShown'>;
/** Shown at once; the others when they are wanted. */
const few = 6;
/** As many as are kept of a conversation. */
const most = 50;

/** What the seller knows of the customer, each with the way to have it forgotten. */
export function Remembered({ conversation }: { conversation: string }) {
  const { t } = useTranslation(['inbox', 'kit']);
  const f = useFormat();
  const may = useCan()('ai:manage');
  const [all, setAll] = useState(false);
  const [asked, setAsked] = useState<Fact>();
  const { data } = useGet('/ai/memory', { query: { conversation_id: conversation, limit: most } });
  const forget = useAction('delete', '/ai/memory/{id}', { stale: ['/ai/memory'], done: t('memory.done'), then: () => setAsked(undefined) });
  const facts = data?.data ?? [];
  return (
    <section aria-label={t('memory.title')}>
      <Text size="xs" fw={600} c="dimmed" mb={4} component="h3">
        {t('memory.title')}
      </Text>
      {!data && <Skeleton h={40} />}
      {data && facts.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('memory.none')}
        </Text>
      )}
      <ul className={classes.noteList}>
        {facts.slice(0, all ? most : few).map((m) => (
          <li key={m.id} data-fact={m.key}>
            <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
              <div style={{ minWidth: 0 }}>
                <Text size="xs" c="dimmed">
                  {factWord(m.key)}
                  {m.expires_at && ` · ${t('memory.until', { date: f.day(m.expires_at) })}`}
                </Text>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {m.value}
                </Text>
              </div>
              {may && (
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t('memory.forget', { what: m.value })}
                  onClick={() => setAsked(m)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          </li>
        ))}
      </ul>
      {!all && facts.length > few && (
        <Button variant="default" size="compact-sm" mt={6} onClick={() => setAll(true)}>
          {t('memory.more', { count: facts.length - few })}
        </Button>
      )}
      {asked && (
        <Confirm
          danger
          title={t('memory.forgetTitle')}
          consequence={t('memory.forgetConsequence', { what: asked.value })}
          act={t('memory.act')}
          pending={forget.pending}
          onConfirm={() => void forget.run({ path: { id: asked.id } })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}
