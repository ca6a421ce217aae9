import { UnstyledButton } from '@mantine/core';
import { useFormat, useGet, useListState } from '@shell';
import { useTranslation } from 'react-i18next';
import classes from './list.module.css';

/** What each view asks for; the first is the whole list. */
const views = [
  { name: 'all', filters: {} },
  { name: 'unread', filters: { unread: 'true' } },
  { name: 'waiting', filters: { waiting: 'true' } },
  { name: 'mine', filters: { assigned_user_id: 'me', done: 'false' } },
  { name: 'handoff', filters: { handoff: 'true' } },
] as const;
type View = (typeof views)[number];

/** What wants somebody has a figure: a page makes few calls. */
const counted = (v: View): v is Extract<View, { name: 'unread' | 'waiting' | 'handoff' }> => v.name !== 'all' && v.name !== 'mine';

const keys = ['unread', 'waiting', 'assigned_user_id', 'done', 'handoff'] as const;

/** The lists that are looked at every day, with how many are in those that want somebody. */
export function Views() {
  const { t } = useTranslation('inbox');
  const state = useListState(keys);
  const isOpen = (v: View) => keys.every((k) => state.filters[k] === (v.filters as Record<string, string>)[k]);
  const open = (v: View) => state.set({ ...Object.fromEntries(keys.map((k) => [k, undefined])), ...v.filters });
  return (
    <div className={classes.views} role="group" aria-label={t('views.label')}>
      {views.map((v) => (
        <UnstyledButton key={v.name} className={classes.view} aria-pressed={isOpen(v)} onClick={() => open(v)}>
          {t(`views.${v.name}`)}
          {counted(v) && <Count filters={v.filters} />}
        </UnstyledButton>
      ))}
    </div>
  );
}

function Count({ filters }: { filters: Record<string, string> }) {
  const f = useFormat();
  const { data } = useGet('/ai/conversations', { query: { ...filters, limit: 1 } as never }, { keep: true });
  if (!data || data.total === 0) return null;
  return <span className={classes.viewCount}>{f.number(data.total)}</span>;
}
