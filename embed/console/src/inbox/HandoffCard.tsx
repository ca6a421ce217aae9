import { Button, Group, Text } from '@mantine/core';
import { reasonWord } from '@kit';
import { Confirm, Status, useAction, useCan, useMe, When } from '@shell';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';
import { change, takeRow } from './opened';
import type { Handoff, Opened } from './types';

/** Why a person is needed, who has it, and the way to end it. */
export function HandoffCard({ of: h, conversation: o }: { of: Handoff; conversation: Opened }) {
  const { t } = useTranslation(['inbox', 'kit']);
  const may = useCan()('ai:operate');
  const why = h.reason ?? o.ai_state_reason;
  return (
    <div className={classes.handoff} role="region" aria-label={t('handoff.open')} data-trigger={h.trigger}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <IconHandStop size={18} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
        <Group gap="xs" justify="space-between" style={{ minWidth: 0, flex: 1 }}>
          <div style={{ minWidth: 0, flex: '1 1 220px' }}>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {t(`handoff.trigger.${h.trigger}`)}
              </Text>
              {h.priority === 'HIGH' && <Status state="FAILED" label={t(`handoff.priority.${h.priority}`)} />}
              <Text size="xs" c="dimmed">
                <When at={h.created_at} />
              </Text>
            </Group>
            {[why && reasonWord(why), h.summary].filter(Boolean).map((text) => (
              <Text key={text} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            ))}
            {h.choices.length > 0 && <Said text={h.customer_text} />}
            <Text size="xs" c="dimmed">
              {h.assigned_user ? t('assignedTo', { name: h.assigned_user.name ?? '–' }) : t('handoff.nobody')}
            </Text>
          </div>
          {may && <Acts of={h} conversation={o} />}
        </Group>
      </Group>
    </div>
  );
}

/** What the customer wrote that may ask to stop. */
function Said({ text }: { text: string | null }) {
  const { t } = useTranslation('inbox');
  if (!text)
    return (
      <Text size="sm" c="dimmed">
        {t('doubt.gone')}
      </Text>
    );
  return (
    <Text size="sm" component="blockquote" className={classes.doubt} aria-label={t('doubt.said')}>
      {text}
    </Text>
  );
}

function Acts({ of: h, conversation: o }: { of: Handoff; conversation: Opened }) {
  const { t } = useTranslation('inbox');
  const { user } = useMe();
  const [asked, setAsked] = useState(false);
  const name = o.contact.name;
  const stale = ['/ai/conversations', '/ai/handoffs'];
  const update = useAction('patch', '/ai/handoffs/{id}', {
    stale,
    then: (next) =>
      change(o.id, (now) => ({ ...now, assigned_user: next.assigned_user ?? now.assigned_user, handoff: next.resolved ? null : next })),
  });
  const ended = (row: Parameters<typeof takeRow>[0]) => {
    takeRow(row);
    change(o.id, (now) => ({ ...now, handoff: null }));
    setAsked(false);
  };
  const stop = useAction('post', '/ai/conversations/{id}/stop', {
    stale: [...stale, '/recipients', '/suppressions', '/inbox/opened'],
    done: t('doubt.done', { name }),
    then: ended,
  });
  const resume = useAction('post', '/ai/conversations/{id}/resume', { stale, done: t('doubt.resumed'), then: ended });
  const path = { id: h.id };
  const of = { path: { id: o.id }, body: { handoff_resolution_note: null } };
  return (
    <Group gap="xs">
      {h.choices.includes('STOP') && (
        <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
          {t('doubt.stop')}
        </Button>
      )}
      {h.choices.includes('RESUME') && (
        <Button size="compact-sm" loading={resume.pending} onClick={() => void resume.run(of)}>
          {t('doubt.resume')}
        </Button>
      )}
      {user && h.assigned_user?.id !== user.id && (
        <Button
          size="compact-sm"
          variant={h.choices.length > 0 ? 'default' : 'filled'}
          loading={update.pending}
          onClick={() => void update.run({ path, body: { assigned_user_id: user.id, resolution_note: null } })}
        >
          {t('handoff.take')}
        </Button>
      )}
      {h.choices.length === 0 && (
        <Button
          size="compact-sm"
          variant="default"
          loading={update.pending}
          onClick={() => void update.run({ path, body: { resolved: true, resolution_note: null } })}
        >
          {t('handoff.resolve')}
        </Button>
      )}
      {asked && (
        <Confirm
          danger
          title={t('doubt.title', { name })}
          consequence={t('doubt.consequence', { name })}
          act={t('doubt.stop')}
          pending={stop.pending}
          onConfirm={() => void stop.run(of)}
          onClose={() => setAsked(false)}
        />
      )}
    </Group>
  );
}
