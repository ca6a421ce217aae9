import { ActionIcon, Button, TextInput, UnstyledButton } from '@mantine/core';
import { Dialog, type Schema, useAction, useCan, useFormat, useGet, useListState } from '@shell';
import { IconBookmarkPlus, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
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
type Saved = Schema<'InboxView'>;
type Sort = Saved['sort'];

/** What wants somebody has a figure: a page makes few calls. */
const counted = (v: View): v is Extract<View, { name: 'unread' | 'waiting' | 'handoff' }> => v.name !== 'all' && v.name !== 'mine';

/** Every filter of the list; flags are true or false. */
const flags = ['unread', 'waiting', 'has_files', 'done', 'handoff', 'personal'] as const;
const keys = [...flags, 'account_id', 'assigned_user_id', 'ai_state'] as const;
type Filters = Readonly<Record<string, string | undefined>>;

/** A saved filter as the address writes it, and back. */
const addressed = (f: Saved['filter']): Filters =>
  Object.fromEntries(Object.entries(f).map(([k, v]) => [k, v === undefined || v === null ? undefined : String(v)]));
const saved = (f: Filters, q: string): Saved['filter'] => {
  const isFlag = (k: string): boolean => (flags as readonly string[]).includes(k);
  const set = Object.entries(f).filter(([, v]) => v !== undefined);
  return { ...Object.fromEntries(set.map(([k, v]) => [k, isFlag(k) ? v === 'true' : v])), ...(q ? { q } : {}) };
};

/** The lists that are looked at every day, with how many are in those that want somebody, and those that a person saved. */
export function Views() {
  const { t } = useTranslation('inbox');
  const f = useFormat();
  const may = useCan()('ai:operate');
  const state = useListState(keys);
  const now: Filters = Object.fromEntries(keys.map((k) => [k, [state.filters[k] ?? []].flat()[0]]));
  const { data } = useGet('/ai/inbox/views', { query: { limit: 50 } }, { enabled: may });
  const [saving, setSaving] = useState(false);
  const isOpen = (filters: Filters, q = '', sort?: string) =>
    keys.every((k) => now[k] === filters[k]) && state.q === q && (sort === undefined || (state.sort ?? 'recent') === sort);
  const open = (filters: Filters, q?: string, sort?: Sort) =>
    state.set({ ...Object.fromEntries(keys.map((k) => [k, filters[k]])), q, sort: sort === 'recent' ? undefined : sort });
  const own = data?.data ?? [];
  const any = keys.some((k) => now[k] !== undefined) || state.q !== '';
  const known = views.some((v) => isOpen(v.filters)) || own.some((v) => isOpen(addressed(v.filter), v.filter.q ?? '', v.sort));
  return (
    <div className={classes.views} role="group" aria-label={t('views.label')}>
      {views.map((v) => (
        <UnstyledButton key={v.name} className={classes.view} aria-pressed={isOpen(v.filters)} onClick={() => open(v.filters)}>
          {t(`views.${v.name}`)}
          {counted(v) && <Count filters={v.filters} />}
        </UnstyledButton>
      ))}
      {own.map((v) => {
        const filters = addressed(v.filter);
        const pressed = isOpen(filters, v.filter.q ?? '', v.sort);
        return (
          <span key={v.id} className={classes.ownView}>
            <UnstyledButton className={classes.view} aria-pressed={pressed} onClick={() => open(filters, v.filter.q, v.sort)}>
              {v.name}
              {v.total ? <span className={classes.viewCount}>{f.number(v.total)}</span> : null}
            </UnstyledButton>
            {pressed && <Drop of={v} />}
          </span>
        );
      })}
      {may && any && !known && (
        <Button size="compact-xs" variant="subtle" leftSection={<IconBookmarkPlus size={14} aria-hidden />} onClick={() => setSaving(true)}>
          {t('views.save')}
        </Button>
      )}
      {saving && <Save filter={saved(now, state.q)} sort={(state.sort ?? 'recent') as Sort} onClose={() => setSaving(false)} />}
    </div>
  );
}

function Drop({ of: v }: { of: Saved }) {
  const { t } = useTranslation('inbox');
  const remove = useAction('delete', '/ai/inbox/views/{id}', { stale: ['/ai/inbox/views'] });
  return (
    <ActionIcon
      size="sm"
      color="gray"
      aria-label={t('views.delete', { name: v.name })}
      loading={remove.pending}
      onClick={() => void remove.run({ path: { id: v.id } })}
    >
      <IconX size={13} aria-hidden />
    </ActionIcon>
  );
}

function Save({ filter, sort, onClose }: { filter: Saved['filter']; sort: Sort; onClose: () => void }) {
  const { t } = useTranslation('inbox');
  const [name, setName] = useState('');
  const add = useAction('post', '/ai/inbox/views', { stale: ['/ai/inbox/views'], done: t('views.saved'), then: onClose });
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (name.trim()) void add.run({ body: { name: name.trim(), filter, sort } });
  };
  return (
    <Dialog title={t('views.save')} onClose={onClose}>
      <form onSubmit={submit}>
        <TextInput label={t('views.name')} value={name} maxLength={80} data-autofocus onChange={(e) => setName(e.currentTarget.value)} />
        <Button type="submit" mt="md" loading={add.pending} disabled={!name.trim()}>
          {t('views.act')}
        </Button>
      </form>
    </Dialog>
  );
}

function Count({ filters }: { filters: Record<string, string> }) {
  const f = useFormat();
  const { data } = useGet('/ai/conversations', { query: { ...filters, limit: 1 } as never }, { keep: true, rest: 5000 });
  if (!data || data.total === 0) return null;
  return <span className={classes.viewCount}>{f.number(data.total)}</span>;
}
