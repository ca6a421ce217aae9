import { MultiSelect } from '@mantine/core';
import { get } from '@shell';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { personLabel } from './person';
import { useFound } from './useFound';

interface Props {
  label: string;
  description?: string;
  error?: string;
  disabled?: boolean;
  value?: readonly string[];
  onChange: (ids: string[]) => void;
  most?: number;
  autoFocus?: boolean;
}

/** As many names are asked for one by one: a page makes at most ten calls on opening. */
const askedNames = 4;

/** Several people, found by name or username; who was chosen stays named when the search goes on. */
export function PeopleSelect({ label, description, error, disabled, value = [], onChange, most, autoFocus }: Props) {
  const { t } = useTranslation(['kit', 'shell']);
  const [search, setSearch] = useState('');
  const [names, setNames] = useState<Record<string, string>>({});
  const { found, waits, may } = useFound(search);
  const known = useNames(value.filter((id) => !(id in names)).slice(0, askedNames), may);
  const options = new Map(found.map((o) => [o.value, o.label]));
  for (const id of value) if (!options.has(id)) options.set(id, names[id] ?? known.get(id) ?? t('somebody'));
  return (
    <MultiSelect
      label={label}
      description={description}
      error={error}
      disabled={disabled}
      data={[...options].map(([v, l]) => ({ value: v, label: l }))}
      value={[...value]}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options: all }) => all}
      maxValues={most}
      nothingFoundMessage={waits ? t('shell:loading') : t('shell:list.nothing')}
      onChange={(next) => {
        setNames((before) => ({ ...before, ...Object.fromEntries(next.map((id) => [id, options.get(id) ?? ''])) }));
        onChange(next);
      }}
      data-autofocus={autoFocus}
    />
  );
}

/** People who were chosen before, by their names. */
function useNames(ids: readonly string[], enabled: boolean): Map<string, string> {
  const asked = useQueries({ queries: ids.map((id) => ({ ...get('/recipients/{id}', { path: { id } }), enabled })) });
  return new Map(asked.flatMap((q) => (q.data ? [[q.data.id, personLabel(q.data)] as const] : [])));
}
