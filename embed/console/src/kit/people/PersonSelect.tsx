import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Named, personLabel } from './person';
import { type Option, useFound } from './useFound';

export type Person = Named & { id: string };

interface Props {
  label: string;
  placeholder?: string;
  description?: string;
  error?: string;
  value: string | null;
  onChange: (id: string | null) => void;
  /** People who are offered before any is searched for. */
  first?: readonly Person[];
}

/** One person, found by name or username, or nobody. Nothing for who may not see people. */
export function PersonSelect({ label, placeholder, description, error, value, onChange, first }: Props) {
  const { t } = useTranslation(['kit', 'shell']);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Option>();
  const { found, waits, may } = useFound(search, chosen ? [chosen.label] : []);
  if (!may) return null;
  const near = search === '' || search === chosen?.label ? (first ?? []).map((p) => ({ value: p.id, label: personLabel(p) })) : [];
  const options = new Map([...(chosen ? [chosen] : []), ...near, ...found].map((o) => [o.value, o.label]));
  return (
    <Select
      size="sm"
      label={label}
      description={description}
      error={error}
      placeholder={placeholder}
      data={[...options].map(([v, l]) => ({ value: v, label: l }))}
      value={value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options: all }) => all}
      nothingFoundMessage={waits ? t('shell:loading') : t('shell:list.nothing')}
      onChange={(id, option) => {
        setChosen(id && option ? { value: id, label: option.label } : undefined);
        onChange(id);
      }}
    />
  );
}
