import { ActionIcon, Button, Menu, Title, Tooltip } from '@mantine/core';
import { reasonWord } from '@kit';
import { Link, Status, useAction, useCan, useGet, useIsBeside, useMe } from '@shell';
import { IconArrowLeft, IconCheck, IconDots, IconHandStop, IconRobot, IconUser, IconUserCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from './Cell';
import classes from './inbox.module.css';
import { useKeys } from './keys';
import { change, takeRow } from './opened';
import type { Opened } from './types';

const colors: Record<Opened['ai_state'], string> = { ACTIVE: 'blue', PAUSED_HANDOFF: 'yellow', STOPPED: 'red', OFF: 'gray' };

/** Who the conversation is with, who answers, and what may be done with it. */
export function Header({ of: o, onPerson }: { of: Opened; onPerson?: () => void }) {
  const { t } = useTranslation(['inbox', 'kit']);
  const who = o.contact.username ? `@${o.contact.username}` : undefined;
  // An open handoff says it in its own place.
  const why = o.handoff === null && (o.ai_state === 'PAUSED_HANDOFF' || o.ai_state === 'STOPPED') && o.ai_state_reason;
  const facts = [
    who,
    o.account.name ?? t('accountGone'),
    o.assigned_user && t('assignedTo', { name: o.assigned_user.name ?? '–' }),
    why && reasonWord(why),
  ];
  return (
    <header className={classes.header}>
      <ActionIcon component={Link} to="/inbox" size="lg" aria-label={t('back')} className={classes.back}>
        <IconArrowLeft size={20} aria-hidden />
      </ActionIcon>
      <Avatar name={o.contact.name} />
      <div className={classes.who}>
        <Title order={1} size="h4" tabIndex={-1} className={classes.name}>
          {o.contact.name}
        </Title>
        <span className={classes.facts}>{facts.filter(Boolean).join(' · ')}</span>
      </div>
      {o.ai_state !== 'OFF' && <Status state={o.ai_state} label={t(`aiState.${o.ai_state}`)} color={colors[o.ai_state]} />}
      <Actions of={o} />
      {onPerson && (
        <Tooltip label={t('person.title')}>
          <ActionIcon size="lg" onClick={onPerson} aria-label={t('person.title')}>
            <IconUser size={20} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </header>
  );
}

function Actions({ of: o }: { of: Opened }) {
  const { t } = useTranslation('inbox');
  const can = useCan();
  const [assigning, setAssigning] = useState(false);
  const path = { id: o.id };
  const takeover = useAction('post', '/ai/conversations/{id}/takeover', { then: takeRow, stale: ['/ai/conversations', '/ai/handoffs'] });
  const resume = useAction('post', '/ai/conversations/{id}/resume', { then: takeRow });
  const done = useAction('post', '/ai/conversations/{id}/done', {
    then: (row) => {
      takeRow(row);
      change(o.id, (now) => ({ ...now, handoff: null }));
    },
    done: t('done.done'),
  });
  const may = can('ai:operate');
  const isDone = o.done_at !== null;
  useKeys({
    e: () => void (may && !isDone && done.run({ path })),
    a: () => may && setAssigning(true),
    r: () => document.getElementById('reply-text')?.focus(),
  });
  if (!may) return null;
  return (
    <>
      {o.ai_state === 'ACTIVE' && (
        <Button
          variant="default"
          loading={takeover.pending}
          leftSection={<IconHandStop size={16} aria-hidden />}
          onClick={() => void takeover.run({ path, body: { note: null } })}
        >
          {t('takeover.act')}
        </Button>
      )}
      {o.ai_state === 'PAUSED_HANDOFF' && (
        <Button
          variant="default"
          loading={resume.pending}
          leftSection={<IconRobot size={16} aria-hidden />}
          onClick={() => void resume.run({ path, body: { handoff_resolution_note: null } })}
        >
          {t('resume.act')}
        </Button>
      )}
      <Assign of={o} opened={assigning} onChange={setAssigning} />
      <Tooltip label={isDone ? t('done.is') : t('done.act')}>
        <ActionIcon
          size="lg"
          variant={isDone ? 'light' : 'default'}
          disabled={isDone}
          loading={done.pending}
          onClick={() => void done.run({ path })}
          aria-label={isDone ? t('done.is') : t('done.act')}
        >
          <IconCheck size={19} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <More of={o} />
    </>
  );
}

/** Gives the conversation to a colleague who may answer, or to nobody. */
function Assign({ of: o, opened, onChange }: { of: Opened; opened: boolean; onChange: (open: boolean) => void }) {
  const { t } = useTranslation('inbox');
  const can = useCan();
  const { user } = useMe();
  const { data } = useGet('/members', { query: { limit: 500 } }, { enabled: opened && can('members:read') });
  const others = (data?.data ?? []).filter((m) => m.user.id !== user?.id && m.role !== 'ANALYST');
  const names = new Map([
    ...(user ? [[user.id, user.name || user.email] as const] : []),
    ...others.map((m) => [m.user.id, m.user.name || m.user.email] as const),
  ]);
  const assign = useAction('post', '/ai/conversations/{id}/assign', {
    then: takeRow,
    now: ({ body }) => {
      const id = body.user_id;
      change(o.id, (now) => ({ ...now, assigned_user: id ? { id, name: names.get(id) ?? null } : null }));
    },
    failed: () => {
      change(o.id, (now) => ({ ...now, assigned_user: o.assigned_user }));
      return false;
    },
  });
  const give = (user_id: string | null) => void assign.run({ path: { id: o.id }, body: { user_id } });
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end" withinPortal>
      <Menu.Target>
        <Tooltip label={t('assign.act')}>
          <ActionIcon size="lg" variant="default" aria-label={t('assign.act')} onClick={() => onChange(!opened)}>
            <IconUserCheck size={19} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {user && o.assigned_user?.id !== user.id && <Menu.Item onClick={() => give(user.id)}>{t('assign.me')}</Menu.Item>}
        {others.map((m) => (
          <Menu.Item key={m.user.id} disabled={o.assigned_user?.id === m.user.id} onClick={() => give(m.user.id)}>
            {names.get(m.user.id)}
          </Menu.Item>
        ))}
        {o.assigned_user && <Menu.Item onClick={() => give(null)}>{t('assign.nobody')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

function More({ of: o }: { of: Opened }) {
  const { t } = useTranslation('inbox');
  const can = useCan();
  const beside = useIsBeside();
  const personal = useAction('put', '/ai/conversations/{id}/personal', { then: takeRow, done: t('personal.done') });
  const told = useAction('post', '/ai/conversations/{id}/platform-read', {
    done: (a) => t(a.already_read ? 'platformRead.already' : 'platformRead.done'),
  });
  return (
    <Menu position="bottom-end" withinPortal={!beside}>
      <Menu.Target>
        <ActionIcon size="lg" variant="default" aria-label={t('more')}>
          <IconDots size={19} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void told.run({ path: { id: o.id }, body: { up_to_message_id: null } })}>
          {t('platformRead.act')}
        </Menu.Item>
        {can('accounts:manage') && (
          <Menu.Item onClick={() => void personal.run({ path: { id: o.id }, body: { personal: !o.personal } })}>
            {t(o.personal ? 'personal.off' : 'personal.on')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
