import { Group, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { memo, useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Href } from '../addresses';
import { useOpened, useRowKeys, useRowLinks } from './keys';
import classes from './Rows.module.css';
import type { Column } from './types';

/** The id that a record of the API has. */
export function Identified<R>(row: R): string {
  return (row as { id: string }).id;
}

interface Props<R> {
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  to?: (row: R) => Href;
  name: (row: R) => string;
  /** What tells a row from the others; its id when not given. */
  id?: (row: R) => string;
  /** The rows of the question before, while the next ones are on their way. */
  stale: boolean;
  sort: string | undefined;
  onSort: (sort: string) => void;
  selection?: { has: (id: string) => boolean; toggle: (id: string) => void; page: 'all' | 'some' | 'none'; togglePage: () => void };
}

/** The rows: a table, or cards where it is narrow. j and k walk them, Enter opens, x selects. */
export function Rows<R>({ label, columns, rows, to, name, id: idOf = Identified, stale, sort, onSort, selection }: Props<R>) {
  const { t } = useTranslation('shell');
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const link = useRowLinks();
  const opened = useOpened();
  const latest = useRef(selection?.toggle);
  latest.current = selection?.toggle;
  const toggle = useCallback((id: string) => latest.current?.(id), []);
  return (
    <Table className={classes.table} aria-label={label} aria-busy={stale} data-stale={stale || undefined}>
      <Table.Thead>
        <Table.Tr>
          {selection && (
            <Table.Th w={44}>
              <Tick
                checked={selection.page === 'all'}
                some={selection.page === 'some'}
                onChange={selection.togglePage}
                label={t('list.selectPage')}
              />
            </Table.Th>
          )}
          {columns.map((c) => (
            <Head key={c.key} column={c} sort={sort} onSort={onSort} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <tbody ref={body} onClick={link.follow} onMouseOver={link.prepare} onFocus={link.prepare}>
        {rows.map((row) => {
          const id = idOf(row);
          const href = to?.(row);
          return (
            <Line
              key={id}
              id={id}
              row={row}
              columns={columns as readonly Column<unknown>[]}
              to={href && link.href(href)}
              current={href !== undefined && href === opened}
              selectLabel={selection && t('list.select', { name: name(row) })}
              selected={selection?.has(id)}
              onToggle={toggle}
            />
          );
        })}
      </tbody>
    </Table>
  );
}

interface LineProps {
  id: string;
  row: unknown;
  columns: readonly Column<unknown>[];
  /** The address of its page. */
  to: string | undefined;
  /** Its page is shown beside the list. */
  current: boolean;
  selectLabel: string | undefined;
  /** undefined: nothing can be selected. */
  selected: boolean | undefined;
  onToggle: (id: string) => void;
}

/**
 * One row, of plain elements, for there are fifty of seven cells; and drawn anew only when
 * it changed: while events pour in most have not.
 */
const Line = memo(function Line({ id, row, columns, to, current, selectLabel, selected, onToggle }: LineProps) {
  return (
    <tr data-row data-selected={selected || undefined} data-current={current || undefined}>
      {selected !== undefined && (
        <td className={classes.check}>
          <Tick checked={selected} onChange={() => onToggle(id)} label={selectLabel} />
        </td>
      )}
      {columns.map((c, i) => {
        const content = c.render(row);
        return (
          <td
            key={c.key}
            data-label={i === 0 ? undefined : c.title}
            data-from={c.from}
            data-align={c.align}
            data-nothing={content === '–' || undefined}
            className={i === 0 ? classes.first : undefined}
          >
            {i === 0 && to !== undefined ? (
              <a href={to} data-open aria-current={current || undefined} className={`mantine-focus-auto ${classes.open}`}>
                {content}
              </a>
            ) : (
              content
            )}
          </td>
        );
      })}
    </tr>
  );
});

function Tick({
  checked,
  some = false,
  onChange,
  label,
}: {
  checked: boolean;
  some?: boolean;
  onChange: () => void;
  label: string | undefined;
}) {
  return (
    <input
      type="checkbox"
      className={classes.tick}
      checked={checked}
      onChange={onChange}
      aria-label={label}
      ref={(box) => {
        if (box) box.indeterminate = some;
      }}
    />
  );
}

function Head<R>({ column, sort, onSort }: { column: Column<R>; sort: string | undefined; onSort: (sort: string) => void }) {
  const { t } = useTranslation('shell');
  if (!column.sort)
    return (
      <Table.Th data-from={column.from} ta={column.align}>
        {column.title || <VisuallyHidden>{t('list.actions')}</VisuallyHidden>}
      </Table.Th>
    );
  const up = sort === column.sort;
  const down = sort === `-${column.sort}`;
  const Arrow = up ? IconArrowUp : down ? IconArrowDown : IconArrowsSort;
  return (
    <Table.Th data-from={column.from} ta={column.align} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={() => onSort(down ? column.sort! : `-${column.sort!}`)}>
        <Group gap={4} wrap="nowrap" component="span">
          {column.title}
          <Arrow size={14} opacity={up || down ? 1 : 0.5} aria-hidden />
        </Group>
        <VisuallyHidden>{t('list.sort')}</VisuallyHidden>
      </UnstyledButton>
    </Table.Th>
  );
}
