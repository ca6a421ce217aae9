import { Anchor, Button, Code, Text } from '@mantine/core';
import { type Column, fieldWord, type Filter, List, Page, useCan, useGet, useListState, When } from '@shell';
import { filterOf } from '@shell/list/state';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chain } from './Chain';
import type { Entry } from './entry';
import { Actor, Detail, Subject } from './Detail';
import { things, useActionWord, useThingWord } from './words';

const actors = ['USER', 'API_KEY', 'PLATFORM_ADMIN', 'SYSTEM', 'CUSTOMER'] as const;
const names = ['action', 'actor_id', 'actor_type', 'resource_id', 'from', 'to'] as const;

/** Who changed what. */
export default function AuditLog() {
  const { t } = useTranslation('audit');
  const word = useActionWord();
  const [open, setOpen] = useState<Entry>();
  const filters = useFilters();
  const columns = useMemo<Column<Entry>[]>(
    () => [
      {
        key: 'action',
        title: t('column.action'),
        render: (e) => (
          <Anchor component="button" type="button" data-open c="inherit" fw={550} ta="start" onClick={() => setOpen(e)}>
            {word(e.action)}
          </Anchor>
        ),
      },
      { key: 'resource', title: t('column.resource'), render: (e) => <Subject entry={e} /> },
      { key: 'actor', title: t('column.actor'), render: (e) => <Actor entry={e} /> },
      { key: 'changes', title: t('column.changes'), from: 'md', render: (e) => <Changed entry={e} /> },
      { key: 'at', title: t('column.at'), sort: 'created_at', render: (e) => <When at={e.at} /> },
    ],
    [t, word],
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={<Export />}>
      <Chain />
      <List
        path="/audit-logs"
        label={t('title')}
        columns={columns}
        filters={filters}
        sort="-created_at"
        name={(e) => e.action}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      {open && <Detail entry={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function useFilters(): Filter[] {
  const { t } = useTranslation('audit');
  const thing = useThingWord();
  const can = useCan();
  const { data } = useGet('/members', { query: { limit: 500 } }, { enabled: can('members:read') });
  return useMemo(
    () => [
      {
        kind: 'choice',
        key: 'action',
        label: t('filter.what'),
        options: things.map((x) => ({ value: `${x}.*`, label: thing(x) })),
        searchable: true,
      },
      {
        kind: 'choice',
        key: 'actor_id',
        label: t('filter.who'),
        options: (data?.data ?? []).map((m) => ({ value: m.user.id, label: m.user.name || m.user.email })),
        searchable: true,
      },
      { kind: 'days', from: 'from', to: 'to', label: t('column.at') },
      {
        kind: 'choice',
        rare: true,
        key: 'actor_type',
        label: t('filter.actor'),
        options: actors.map((value) => ({ value, label: t(`actor.${value}`) })),
      },
      { kind: 'text', rare: true, key: 'resource_id', label: t('filter.resource') },
    ],
    [t, thing, data],
  );
}

/** The names of what changed; the values are one click away. */
function Changed({ entry: e }: { entry: Entry }) {
  const fields = Object.keys(e.changes ?? {});
  return fields.length ? (
    <Text size="sm" lineClamp={2}>
      {fields.map((k, i) => (
        <span key={k}>
          {i > 0 && ', '}
          {fieldWord(k) ?? <Code fz="xs">{k}</Code>}
        </span>
      ))}
    </Text>
  ) : (
    <Text span c="dimmed">
      –
    </Text>
  );
}

/** What the filters leave, as CSV. */
function Export() {
  const { t } = useTranslation('audit');
  const state = useListState(names);
  const query = new URLSearchParams({
    ...(filterOf(state, { many: [], from: ['from'], to: ['to'] }) as Record<string, string>),
    format: 'csv',
  });
  return (
    <Button
      component="a"
      variant="default"
      href={`/api/v1/audit-logs?${query}`}
      download="audit-log.csv"
      leftSection={<IconDownload size={17} aria-hidden />}
    >
      {t('export')}
    </Button>
  );
}
