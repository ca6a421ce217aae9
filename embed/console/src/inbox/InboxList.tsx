import { Group, Select } from '@mantine/core';
import { type Column, type Filter, List, Page, type Schema, Status, useCan, useGet, useIsBeside, useListState, When } from '@shell';
import { register } from '@shell/worker';
import { useEffect, useMemo } from 'react';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Cell } from './Cell';
import { SoundSwitch } from './SoundSwitch';
import type { Conversation } from './types';
import { Views } from './Views';

const sorts = ['recent', 'unread', 'waiting', 'oldest'] as const;
const states = ['ACTIVE', 'PAUSED_HANDOFF', 'STOPPED', 'OFF'] as const;

/** Every conversation, the newest first. */
export default function InboxList() {
  const { t } = useTranslation('inbox');
  const beside = useIsBeside();
  const columns = useColumns();
  const filters = useFilters();
  useEffect(() => void register(), []); // the inbox is what people install
  return (
    <Page title={t('title')} lead={t('lead')} actions={!beside && <Actions />}>
      <Views />
      {beside && <Sort />}
      <List
        path="/ai/conversations"
        label={t('title')}
        columns={columns}
        filters={filters}
        search={t('search')}
        sort="recent"
        to={(c) => `/inbox/${c.id}`}
        name={(c) => c.contact.name}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
    </Page>
  );
}

function Actions() {
  return (
    <Group gap="xs" wrap="nowrap">
      <SoundSwitch />
      <Sort />
    </Group>
  );
}

function Sort() {
  const { t } = useTranslation('inbox');
  const state = useListState([]);
  const beside = useIsBeside();
  return (
    <Select
      mb={beside ? 'xs' : undefined}
      w={beside ? undefined : 220}
      size={beside ? 'xs' : 'sm'}
      aria-label={t('sort.label')}
      allowDeselect={false}
      data={sorts.map((value) => ({ value, label: t(`sort.${value}`) }))}
      value={state.sort ?? 'recent'}
      onChange={(v) => state.set({ sort: v === 'recent' ? undefined : (v ?? undefined) })}
    />
  );
}

function useColumns(): Column<Conversation>[] {
  const { t } = useTranslation('inbox');
  return useMemo(
    () => [
      { key: 'who', title: t('column.who'), render: (c) => <Cell of={c} /> },
      { key: 'account', title: t('column.account'), from: 'lg', render: (c) => c.account.name ?? t('accountGone') },
      { key: 'assigned', title: t('column.assigned'), from: 'md', render: (c) => c.assigned_user?.name ?? '–' },
      {
        key: 'state',
        title: t('column.state'),
        from: 'lg',
        render: (c) =>
          c.ai_state === 'OFF' ? '–' : <Status state={c.ai_state} label={t(`aiState.${c.ai_state}`)} color={colors[c.ai_state]} />,
      },
      { key: 'waiting', title: t('column.waiting'), from: 'md', render: (c) => <When at={c.waiting_since} /> },
    ],
    [t],
  );
}

const colors: Record<Conversation['ai_state'], string> = { ACTIVE: 'blue', PAUSED_HANDOFF: 'yellow', STOPPED: 'red', OFF: 'gray' };

function useFilters(): Filter[] {
  const { t } = useTranslation('inbox');
  const can = useCan();
  // Beside a conversation that a link opened, the conversation comes first: the list brings the names when it is alone.
  const { id } = useParams({ strict: false }) as { id?: string };
  const { data: accounts } = useGet('/accounts', { query: { limit: 100 } }, { enabled: can('accounts:read') && !id });
  const personal = can('accounts:manage');
  return useMemo(() => {
    const flag = (key: string): Filter => ({
      kind: 'choice',
      key,
      label: t(`filter.${key}` as never),
      rare: true,
      options: ['true', 'false'].map((value) => ({ value, label: t(`filter.${key}Is.${value}` as never) })),
    });
    const account: Filter = {
      kind: 'choice',
      key: 'account_id',
      label: t('column.account'),
      searchable: true,
      options: (accounts?.data ?? []).map((a: Schema<'AccountShown'>) => ({ value: a.id, label: nameOf(a) })),
    };
    return [
      account,
      {
        kind: 'choice',
        key: 'assigned_user_id',
        label: t('column.assigned'),
        options: ['me', 'none'].map((value) => ({ value, label: t(`filter.assigned.${value}` as never) })),
      },
      {
        kind: 'choice',
        key: 'ai_state',
        label: t('column.state'),
        rare: true,
        options: states.map((value) => ({ value, label: t(`aiState.${value}`) })),
      },
      ...['unread', 'waiting', 'handoff', 'has_files', 'done'].map(flag),
      ...(personal ? [{ ...flag('personal'), options: [{ value: 'true', label: t('filter.personalIs.true') }] } as Filter] : []),
    ];
  }, [t, accounts, personal]);
}

const nameOf = (a: Schema<'AccountShown'>): string =>
  a.label || [a.first_name, a.last_name].filter(Boolean).join(' ') || (a.username ? `@${a.username}` : a.phone_masked);
