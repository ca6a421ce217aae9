import { ActionIcon, Button, Group, Kbd, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { IconFilter, IconFilterOff, IconSearch, IconX } from '@tabler/icons-react';
import { memo, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { late } from '../api/part';
import { keyOf } from '../keys';
import { loadCalendar } from '../language/i18n';
import { SideDialog } from '../page/Dialog';
import { useIsBeside } from '../split/pane';
import type { ListState } from './state';
import type { Filter } from './types';
import { isTyping } from './typing';

const Days = late(() => Promise.all([import('./Days'), loadCalendar()]).then(([m]) => m));
const typing = 150;

interface Props {
  state: ListState;
  filters: readonly Filter[];
  /** What can be searched for; without it there is no search. */
  search?: string;
}

/** Drawn anew when the question changes, not with every answer. On a phone, and beside a page, the filters are behind one button. */
export const Filters = memo(function Filters({ state, filters, search }: Props) {
  const { t } = useTranslation('shell');
  const phone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const narrow = useIsBeside() || phone;
  return (
    <Group gap="xs" mb="sm" align="flex-end" role="search" aria-label={t('list.filters')}>
      {search && <Search state={state} placeholder={search} />}
      {narrow ? filters.length > 0 && <Sheet state={state} filters={filters} /> : <Line state={state} filters={filters} />}
    </Group>
  );
});

const keysOf = (f: Filter): string[] => (f.kind === 'days' ? [f.from, f.to] : [f.key]);

/** The filters in one line, those that are seldom wanted behind a button. */
function Line({ state, filters }: Props) {
  const { t } = useTranslation('shell');
  const [more, setMore] = useState(false);
  const set = Object.keys(state.filters).length + (state.q ? 1 : 0);
  const shown = filters.filter((f) => more || !f.rare || keysOf(f).some((k) => state.filters[k] !== undefined));
  return (
    <>
      {shown.map((f) => (
        <One key={keysOf(f)[0]} filter={f} state={state} />
      ))}
      {filters.some((f) => f.rare) && (
        <Button variant="subtle" leftSection={<IconFilter size={16} aria-hidden />} aria-expanded={more} onClick={() => setMore(!more)}>
          {t(more ? 'list.fewer' : 'list.more')}
        </Button>
      )}
      {set > 0 && (
        <Button variant="subtle" leftSection={<IconFilterOff size={16} aria-hidden />} onClick={state.clear}>
          {t('list.clear')}
        </Button>
      )}
    </>
  );
}

/** All filters in a sheet at the bottom; the button says how many are set. */
function Sheet({ state, filters }: Props) {
  const { t } = useTranslation('shell');
  const beside = useIsBeside();
  const [open, setOpen] = useState(false);
  const n = filters.filter((f) => keysOf(f).some((k) => state.filters[k] !== undefined)).length;
  return (
    <>
      <Button
        variant="default"
        size={beside ? 'sm' : 'md'}
        fullWidth={!beside}
        leftSection={<IconFilter size={18} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {n > 0 ? t('list.sheetSet', { n }) : t('list.sheet')}
      </Button>
      {open && (
        <SideDialog position="bottom" size="auto" title={t('list.sheet')} onClose={() => setOpen(false)}>
          <Stack>
            {filters.map((f) => (
              <One key={keysOf(f)[0]} filter={f} state={state} />
            ))}
            <Button variant="default" size="md" disabled={n === 0} onClick={state.clear}>
              {t('list.clear')}
            </Button>
            <Button size="md" onClick={() => setOpen(false)}>
              {t('list.show')}
            </Button>
          </Stack>
        </SideDialog>
      )}
    </>
  );
}

function Search({ state, placeholder }: { state: ListState; placeholder: string }) {
  const { t } = useTranslation('shell');
  const beside = useIsBeside();
  const [text, setText] = useState(state.q);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(state.q);
  const send = useDebouncedCallback((q: string) => {
    sent.current = q;
    state.set({ q: q || undefined });
  }, typing);
  useEffect(() => {
    // the address was changed by something else: back, or "clear"
    if (state.q !== sent.current) setText((sent.current = state.q));
  }, [state.q]);
  useEffect(() => {
    const slash = (e: KeyboardEvent) => {
      if (keyOf(e) !== '/' || e.ctrlKey || e.metaKey || isTyping(e.target)) return;
      e.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', slash);
    return () => document.removeEventListener('keydown', slash);
  }, []);
  const change = (q: string) => {
    setText(q);
    send(q);
  };
  return (
    <TextInput
      ref={input}
      type="search"
      w={beside ? undefined : { base: '100%', xs: 280 }}
      flex={beside ? 1 : undefined}
      value={text}
      onChange={(e) => change(e.currentTarget.value)}
      placeholder={placeholder}
      aria-label={placeholder}
      onKeyDown={(e) => {
        if (e.key === 'Escape') e.currentTarget.blur();
      }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text ? (
          <ActionIcon size="sm" onClick={() => change('')} aria-label={t('list.clearSearch')}>
            <IconX size={14} aria-hidden />
          </ActionIcon>
        ) : (
          <Kbd size="xs" aria-hidden>
            /
          </Kbd>
        )
      }
    />
  );
}

/** A value that is typed; it counts when the typing has stopped. */
function Words({ label, value, onChange }: { label: string; value: string; onChange: (v: string) => void }) {
  const [text, setText] = useState(value);
  const send = useDebouncedCallback(onChange, typing);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      w={{ base: '100%', xs: 200 }}
      placeholder={label}
      aria-label={label}
      value={text}
      onChange={(e) => {
        setText(e.currentTarget.value);
        send(e.currentTarget.value.trim());
      }}
    />
  );
}

function One({ filter, state }: { filter: Filter; state: ListState }) {
  const { t } = useTranslation('shell');
  if (filter.kind === 'days') {
    const pick = (k: string) => [state.filters[k] ?? []].flat()[0] ?? null;
    return (
      <Suspense>
        <Days
          label={filter.label}
          from={pick(filter.from)}
          to={pick(filter.to)}
          onChange={(a, b) => state.set({ [filter.from]: a ?? undefined, [filter.to]: b ?? undefined })}
        />
      </Suspense>
    );
  }
  const value = [state.filters[filter.key] ?? []].flat();
  if (filter.kind === 'text')
    return <Words label={filter.label} value={value[0] ?? ''} onChange={(v) => state.set({ [filter.key]: v || undefined })} />;
  if (filter.kind === 'tags') {
    return (
      <TagsInput
        w={{ base: '100%', xs: 200 }}
        placeholder={value.length ? undefined : filter.label}
        aria-label={filter.label}
        data={[...filter.options]}
        value={value}
        maxTags={50}
        onChange={(v) => state.set({ [filter.key]: v.length ? v : undefined })}
        clearable
        clearButtonProps={{ 'aria-label': t('list.clearSearch') }}
      />
    );
  }
  return (
    <Select
      w={{ base: '100%', xs: 190 }}
      placeholder={filter.label}
      aria-label={filter.label}
      data={[...filter.options]}
      value={value[0] ?? null}
      searchable={filter.searchable}
      onChange={(v) => state.set({ [filter.key]: v ?? undefined })}
      clearable
      clearButtonProps={{ 'aria-label': t('list.clearSearch') }}
      nothingFoundMessage={t('palette.nothing')}
    />
  );
}
