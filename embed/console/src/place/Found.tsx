import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Format, useFormat } from '@shell';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lang, useMap } from './api';
import type { Result } from './types';

const typing = 200;
const shown = 8;

interface Props {
  label?: string;
  near?: { lat: number; lon: number };
  onChoose: (r: Result) => void;
}

/** A field that finds while one types: by any script, with mistakes. */
export function Found({ label, near, onChoose }: Props) {
  const { t } = useTranslation('place');
  const f = useFormat();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), typing);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const { data, error, isFetching } = useMap(
    '/api/autocomplete',
    { q, lang: lang(), limit: shown, lat: near?.lat, lon: near?.lon },
    { enabled: q.length > 1, keep: true },
  );
  const results = q.length > 1 ? (data?.results ?? []) : [];
  const choose = (value: string) => {
    const r = results.find((x) => String(x.id) === value);
    if (!r) return;
    setText(r.name);
    box.closeDropdown();
    onChoose(r);
  };
  return (
    <Combobox store={box} onOptionSubmit={choose} shadow="md">
      <Combobox.Target>
        <TextInput
          mb="sm"
          type="search"
          label={label}
          placeholder={t('search')}
          aria-label={label ?? t('search')}
          value={text}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={isFetching && q.length > 1 ? <Loader size={16} /> : null}
          error={error && q.length > 1 ? (error.status === 429 ? t('tooOften') : error.message) : undefined}
          onChange={(e) => {
            setText(e.currentTarget.value);
            box.openDropdown();
            box.updateSelectedOptionIndex();
          }}
          onFocus={() => results.length > 0 && box.openDropdown()}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={q.length < 2 || (!data && !error)}>
        <Combobox.Options aria-label={t('search')}>
          {results.length === 0 && <Combobox.Empty>{t('nothing')}</Combobox.Empty>}
          {results.map((r) => (
            <Combobox.Option key={r.id} value={String(r.id)}>
              <Text size="sm" fw={550}>
                {r.name}
              </Text>
              <Text size="xs" c="dimmed">
                {r.label}
                {r.distance !== undefined && ` · ${distanceText(r.distance, f)}`}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Metres as people say them. */
export function distanceText(metres: number, f: Pick<Format, 'measure'>): string {
  const far = metres >= 1000;
  return far ? f.measure(metres / 1000, 'kilometer', metres < 10_000 ? 1 : 0) : f.measure(metres, 'meter');
}
