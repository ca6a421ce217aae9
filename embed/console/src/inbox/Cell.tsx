import { VisuallyHidden } from '@mantine/core';
import { When } from '@shell';
import { IconHandStop, IconLock, IconPaperclip } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './list.module.css';
import type { Conversation } from './types';

/** A conversation in the list: who, what was said last, when, and what is unread. */
export function Cell({ of: c }: { of: Conversation }) {
  const { t } = useTranslation('inbox');
  const last = c.last_message;
  const words = last && (last.text ?? t(`kind.${last.kind}`));
  return (
    <span className={classes.cell} data-unread={c.unread_count > 0 || undefined}>
      <Avatar name={c.contact.name} />
      <span className={classes.cellWords}>
        <span className={classes.cellLine}>
          <span className={classes.cellName}>{c.contact.name}</span>
          {c.personal && <IconLock size={14} aria-label={t('personal.is')} />}
          {last && (
            <span className={classes.cellWhen}>
              <When at={last.at} />
            </span>
          )}
        </span>
        <span className={classes.cellLine}>
          <span className={classes.cellLast}>
            {last && last.author !== 'CUSTOMER' && (
              <>
                {t(`short.${last.author}`)}
                {last.demo && ` (${t('demo')})`}:{' '}
              </>
            )}
            {words}
          </span>
          {c.has_files && <IconPaperclip size={14} aria-label={t('hasFiles')} />}
          {c.unread_count > 0 && (
            <span className={classes.count}>
              <span aria-hidden>{c.unread_count > 99 ? '99+' : c.unread_count}</span>
              <VisuallyHidden>{t('unreadMessages', { count: c.unread_count })}</VisuallyHidden>
            </span>
          )}
        </span>
        {c.open_handoff_trigger && (
          <span className={classes.cellLine} data-trigger={c.open_handoff_trigger}>
            <IconHandStop size={14} aria-label={t('handoff.open')} />
            <span className={classes.cellNeeds}>
              {t(`handoff.trigger.${c.open_handoff_trigger}`)} · {c.assigned_user?.name ?? t('handoff.nobody')}
            </span>
          </span>
        )}
      </span>
    </span>
  );
}

/** The first letters of a name. */
export function Avatar({ name }: { name: string }) {
  const letters = name
    .replace(/^@/, '')
    .split(/\s+/)
    .map((w) => [...w][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
  return (
    <span className={classes.avatar} aria-hidden>
      {letters}
    </span>
  );
}
