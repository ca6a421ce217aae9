import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Schema, useCan, useGet } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

const typing = 250;

function nameOf(r: Schema<'RecipientShownRecipient'>): string {
  const full = [r.first_name, r.last_name].filter(Boolean).join(' ');
  return [full, r.username && `@${r.username}`, !full && !r.username && r.messenger_id].filter(Boolean).join(' · ');
}

/** Whose values the variables have: a real person, chosen by search, or nobody. */
export function PersonChoice({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTranslation(['content', 'shell']);
  const can = useCan();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  const [q] = useDebouncedValue(search.trim().replace(/^@/, ''), typing);
  const looks = q.length > 1 && search !== chosen?.label;
  const { data } = useGet(
    '/recipients',
    { query: { limit: 15, q: looks ? q : undefined } },
    { keep: true, enabled: can('recipients:read') },
  );
  if (!can('recipients:read')) return null;
  const found = (data?.data ?? []).map((r) => ({ value: r.id, label: nameOf(r) }));
  const options = chosen && !found.some((o) => o.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      size="xs"
      label={t('as')}
      placeholder={t('nobody')}
      data={options}
      value={value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options: all }) => all}
      nothingFoundMessage={t('shell:list.nothing')}
      onChange={(id, option) => {
        setChosen(id && option ? { value: id, label: option.label } : undefined);
        onChange(id);
      }}
    />
  );
}
