import { Button, Group, Text } from '@mantine/core';
import { Status, useAction, useCan, useMe, When } from '@shell';
import { IconHandStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';
import { change } from './opened';
import type { Handoff, Opened } from './types';

/** Why a person is needed, who has it, and the way to end it. */
export function HandoffCard({ of: h, conversation: o }: { of: Handoff; conversation: Opened }) {
  const { t } = useTranslation('inbox');
  const { user } = useMe();
  const may = useCan()('ai:operate');
  const update = useAction('patch', '/ai/handoffs/{id}', {
    stale: ['/ai/conversations', '/ai/handoffs'],
    then: (next) =>
      change(o.id, (now) => ({ ...now, assigned_user: next.assigned_user ?? now.assigned_user, handoff: next.resolved ? null : next })),
  });
  const path = { id: h.id };
  return (
    <div className={classes.handoff} role="region" aria-label={t('handoff.open')}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <IconHandStop size={18} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
        <div style={{ minWidth: 0, flex: 1 }}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {t(`handoff.trigger.${h.trigger}`)}
            </Text>
            {h.priority === 'HIGH' && <Status state="FAILED" label={t(`handoff.priority.${h.priority}`)} />}
            <Text size="xs" c="dimmed">
              <When at={h.created_at} />
            </Text>
          </Group>
          {h.summary && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {h.summary}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {h.assigned_user ? t('assignedTo', { name: h.assigned_user.name ?? '–' }) : t('handoff.nobody')}
          </Text>
        </div>
        {may && (
          <Group gap="xs" wrap="nowrap">
            {user && h.assigned_user?.id !== user.id && (
              <Button
                size="compact-sm"
                loading={update.pending}
                onClick={() => void update.run({ path, body: { assigned_user_id: user.id, resolution_note: null } })}
              >
                {t('handoff.take')}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              loading={update.pending}
              onClick={() => void update.run({ path, body: { resolved: true, resolution_note: null } })}
            >
              {t('handoff.resolve')}
            </Button>
          </Group>
        )}
      </Group>
    </div>
  );
}
