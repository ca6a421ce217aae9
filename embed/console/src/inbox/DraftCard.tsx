import { Badge, Button, Group, Text, Textarea } from '@mantine/core';
import { WhyButton } from '@kit';
import { useAction, useCan, When } from '@shell';
import { IconSend, IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DemoMark } from './DemoMark';
import classes from './inbox.module.css';
import { useKeys } from './keys';
import { change } from './opened';
import type { Draft } from './types';

/** What the AI proposes: a person sends it, changes it first, or sets it aside. */
export function DraftCard({ of: d, most }: { of: Draft; most: number }) {
  const { t } = useTranslation('inbox');
  const may = useCan()('ai:operate');
  const [text, setText] = useState<string>();
  const path = { id: d.conversation_id, draft: d.id };
  const stale = ['/ai/conversations', '/dashboard'] as const;
  const gone = () => change(d.conversation_id, (now) => (now.draft?.id === d.id ? { ...now, draft: null, pending_draft_id: null } : now));
  const approve = useAction('post', '/ai/conversations/{id}/drafts/{draft}/approve', { stale, then: gone });
  const discard = useAction('post', '/ai/conversations/{id}/drafts/{draft}/discard', { stale, then: gone });
  const changed = text?.trim();
  const send = () => {
    if (!approve.pending && changed !== '') void approve.run({ path, body: { text: changed ?? null } });
  };
  useKeys({
    s: () => may && text === undefined && send(),
    t: () => may && text === undefined && setText(d.text ?? ''),
  });
  return (
    <section className={classes.draft} aria-label={t(`draft.kind.${d.kind}`)}>
      <Group gap="xs">
        <IconSparkles size={16} aria-hidden />
        <Text size="sm" fw={600}>
          {t(`draft.kind.${d.kind}`)}
        </Text>
        {d.language && (
          <Badge size="sm" variant="default">
            {d.language}
          </Badge>
        )}
        {d.demo && <DemoMark />}
        {d.expires_at && (
          <Text size="xs" c="dimmed">
            {t('draft.until')} <When at={d.expires_at} />
          </Text>
        )}
        {d.execution_id && <WhyButton execution={d.execution_id} words />}
      </Group>
      {text === undefined ? (
        <Text size="sm" my={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {d.text}
        </Text>
      ) : (
        <Textarea
          autosize
          minRows={2}
          maxRows={10}
          my={6}
          maxLength={most}
          value={text}
          aria-label={t('draft.text')}
          data-autofocus
          ref={(box) => box?.focus()}
          onChange={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Escape') setText(undefined);
            if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) send();
          }}
        />
      )}
      {may && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            leftSection={<IconSend size={14} aria-hidden />}
            loading={approve.pending}
            disabled={changed === ''}
            aria-keyshortcuts="s"
            onClick={send}
          >
            {t('draft.send')}
          </Button>
          {text === undefined ? (
            <Button size="compact-sm" variant="default" aria-keyshortcuts="t" onClick={() => setText(d.text ?? '')}>
              {t('draft.edit')}
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => setText(undefined)}>
              {t('draft.asProposed')}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            loading={discard.pending}
            onClick={() => void discard.run({ path, body: { reason: null } })}
          >
            {t('draft.discard')}
          </Button>
          <Text size="xs" c="dimmed">
            {t('draft.keys')}
          </Text>
        </Group>
      )}
    </section>
  );
}
