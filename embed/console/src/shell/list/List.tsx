// The one table of all pages: the server searches, filters, sorts and pages; the
// address says what is shown.
import { Alert, Button, Group, Pagination, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Href } from '../addresses';
import { get, queries, useGet } from '../api/query';
import { useFormat } from '../language/format';
import { Empty, Failed } from '../page/Empty';
import { useIsBeside } from '../split/pane';
import { Filters } from './Filters';
import { filterOf, type ListState, pageSize, queryOf, type Shapes, useListState } from './state';
import { Identified, Rows } from './Rows';
import type { Bulk, Column, Filter, ListPath, Row, Selection } from './types';

interface Props<P extends ListPath> {
  path: P;
  /** What stands in the braces of the path. */
  params?: Readonly<Record<string, string>>;
  /** What tells a row from the others; its id when not given. */
  id?: (row: Row<P>) => string;
  /** What a screen reader calls the table. */
  label: string;
  columns: readonly Column<Row<P>>[];
  filters?: readonly Filter[];
  search?: string;
  /** The sort of the API when none is chosen. */
  sort?: string;
  /** The page of a row. */
  to?: (row: Row<P>) => Href;
  /** The name of a row, for who hears it. */
  name: (row: Row<P>) => string;
  bulk?: Bulk;
  /** Said when there is nothing yet. */
  empty: { title: string; text: ReactNode; action?: ReactNode };
  /** Parameters that the page fixes. */
  fixed?: Record<string, string>;
}

const none: readonly Filter[] = [];

export function List<P extends ListPath>(p: Props<P>) {
  const filters = p.filters ?? none;
  const shapes = useMemo(() => shapesOf(filters), [filters]);
  const state = useListState(useMemo(() => namesOf(filters), [filters]));
  const query = { ...queryOf(state, shapes, p.sort), ...p.fixed };
  const input = { path: p.params, query } as never;
  const { data, error, isPlaceholderData, refetch } = useGet(p.path, input, { keep: true });
  const page = data as { data: Row<P>[]; total: number } | undefined;
  usePrefetch(p.path, p.params, query, page?.total ?? 0);
  useLastPage(state, page?.total);
  const selection = useSelection(page?.data ?? [], page?.total ?? 0, { ...filterOf(state, shapes), ...p.fixed });
  const narrowed = state.q !== '' || Object.keys(state.filters).length > 0;

  if (page && page.total === 0 && !narrowed)
    return (
      <Paper p={0}>
        <Empty {...p.empty} />
      </Paper>
    );
  return (
    <section aria-label={p.label} style={{ containerType: 'inline-size' }}>
      <Filters state={state} filters={filters} search={p.search} />
      {error && page && (
        <Alert color="orange" mb="sm">
          <Refetch onAgain={() => void refetch()} />
        </Alert>
      )}
      <Paper p={0} style={{ overflow: 'hidden' }}>
        {p.bulk && selection.count > 0 && (
          <BulkBar
            bulk={p.bulk}
            selection={selection}
            total={page?.total ?? 0}
            onAll={selection.chooseAll}
            onPage={page?.data.length ?? 0}
          />
        )}
        {error && !page && <Failed error={error} onAgain={() => void refetch()} />}
        {!error && !page && <Waiting />}
        {page && page.total === 0 && <Nothing onClear={state.clear} />}
        {page && page.total > 0 && (
          <Rows
            label={p.label}
            columns={p.columns}
            rows={page.data}
            to={p.to}
            name={p.name}
            stale={isPlaceholderData}
            id={p.id}
            sort={state.sort ?? p.sort}
            onSort={(sort) => state.set({ sort })}
            selection={p.bulk && { has: selection.has, toggle: selection.toggle, page: selection.page, togglePage: selection.togglePage }}
          />
        )}
      </Paper>
      {page && page.total > 0 && <Foot state={state} total={page.total} />}
    </section>
  );
}

function namesOf(filters: readonly Filter[]): string[] {
  return filters.flatMap((f) => (f.kind === 'days' ? [f.from, f.to] : [f.key]));
}

function shapesOf(filters: readonly Filter[]): Shapes {
  return {
    many: filters.flatMap((f) => (f.kind === 'tags' ? [f.key] : [])),
    from: filters.flatMap((f) => (f.kind === 'days' ? [f.from] : [])),
    to: filters.flatMap((f) => (f.kind === 'days' ? [f.to] : [])),
  };
}

/** The next page is there before it is asked for, but beside what the list opened: that comes first. */
function usePrefetch(
  path: ListPath,
  params: Readonly<Record<string, string>> | undefined,
  query: Record<string, unknown>,
  total: number,
): void {
  const beside = useIsBeside();
  const offset = Number(query.offset) + pageSize;
  const next = JSON.stringify({ path: params, query: { ...query, offset } });
  useEffect(() => {
    if (!beside && offset < total) void queries.prefetchQuery(get(path, JSON.parse(next) as never));
  }, [path, next, offset, total, beside]);
}

/** A page behind the last one, after something was deleted, is the last one. */
function useLastPage(state: ListState, total: number | undefined): void {
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize));
  useEffect(() => {
    if (total !== undefined && state.page > last) state.set({ page: last > 1 ? String(last) : undefined });
  }, [state, total, last]);
}

interface Selecting extends Selection {
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  page: 'all' | 'some' | 'none';
  togglePage: () => void;
  chooseAll: () => void;
}

function useSelection(rows: readonly unknown[], total: number, query: Record<string, string | string[]>): Selecting {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const question = JSON.stringify(query);
  const clear = () => {
    setIds(new Set());
    setAll(false);
  };
  useEffect(clear, [question]); // who was chosen under another filter is not meant now
  const here = rows.map(Identified);
  const chosen = here.filter((id) => ids.has(id)).length;
  const page = all || (chosen > 0 && chosen === here.length) ? 'all' : chosen > 0 ? 'some' : 'none';
  const put = (next: Set<string>) => {
    setAll(false);
    setIds(next);
  };
  return {
    ids: [...ids],
    all,
    count: all ? total : ids.size,
    query,
    clear,
    page,
    has: (id) => all || ids.has(id),
    toggle(id) {
      const next = new Set(all ? here : ids);
      if (!next.delete(id)) next.add(id);
      put(next);
    },
    togglePage() {
      const next = new Set(ids);
      for (const id of here) {
        if (page === 'all') next.delete(id);
        else next.add(id);
      }
      put(all ? new Set() : next);
    },
    chooseAll: () => setAll(true),
  };
}

function BulkBar({
  bulk,
  selection,
  total,
  onAll,
  onPage,
}: {
  bulk: Bulk;
  selection: Selection;
  total: number;
  onAll: () => void;
  onPage: number;
}) {
  const { t } = useTranslation('shell');
  const offer = bulk.most !== undefined && !selection.all && selection.count >= onPage && total > selection.count;
  return (
    <Group px="md" py="xs" gap="sm" bg="var(--mantine-primary-color-light)" role="region" aria-label={t('list.selection')}>
      <Text size="sm" fw={600} aria-live="polite">
        {t('list.selected', { count: selection.count })}
      </Text>
      {offer && total <= (bulk.most ?? 0) && (
        <Button variant="subtle" size="compact-sm" onClick={onAll}>
          {t('list.selectAll', { count: total })}
        </Button>
      )}
      {offer && total > (bulk.most ?? 0) && <Text size="sm">{t('list.tooMany', { count: bulk.most })}</Text>}
      <Group gap="xs">{bulk.actions(selection)}</Group>
      <Button variant="subtle" size="compact-sm" onClick={selection.clear}>
        {t('list.unselect')}
      </Button>
    </Group>
  );
}

function Foot({ state, total }: { state: ListState; total: number }) {
  const { t } = useTranslation('shell');
  const f = useFormat();
  const pages = Math.ceil(total / pageSize);
  const first = (state.page - 1) * pageSize + 1;
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed">
        {t('list.range', { from: f.number(first), to: f.number(Math.min(total, first + pageSize - 1)), total: f.number(total) })}
      </Text>
      {pages > 1 && (
        <Pagination
          value={state.page}
          total={pages}
          size="sm"
          siblings={1}
          boundaries={1}
          onChange={(n) => state.set({ page: n > 1 ? String(n) : undefined })}
          getControlProps={(c) => ({ 'aria-label': t(`list.${c}`) })}
          getItemProps={(n) => ({ 'aria-label': t('list.page', { n }) })}
        />
      )}
    </Group>
  );
}

function Nothing({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Empty
      icon={<IconSearchOff size={32} stroke={1.4} aria-hidden />}
      title={t('list.nothing')}
      text={t('list.nothingText')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('list.clear')}
        </Button>
      }
    />
  );
}

function Refetch({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Group justify="space-between">
      <Text size="sm">{t('list.old')}</Text>
      <Button size="compact-sm" variant="default" onClick={onAgain}>
        {t('again')}
      </Button>
    </Group>
  );
}

function Waiting() {
  const { t } = useTranslation('shell');
  return (
    <Stack p="md" gap="sm" role="status" aria-busy aria-label={t('loading')}>
      {Array.from({ length: 8 }, (_, i) => (
        <Skeleton key={i} h={20} />
      ))}
    </Stack>
  );
}
