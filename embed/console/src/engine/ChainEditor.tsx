import { ActionIcon, Box, Button, Group, NumberInput, Paper, Select, SimpleGrid, Text, VisuallyHidden } from '@mantine/core';
import { useGet } from '@shell';
import { IconGripVertical, IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { type Entry, keyOf, mostEntries, moved } from './chain';
import type { Provider } from './types';

interface Props {
  entries: readonly Entry[];
  onChange: (entries: Entry[]) => void;
  disabled?: boolean;
}

const whole = { query: { limit: 100 } };

/** The models of a chain: moved by dragging, or with the arrow keys on the handle. What moved is said to who does not see it. */
export function ChainEditor({ entries, onChange, disabled }: Props) {
  const { t } = useTranslation('engine');
  const { data } = useGet('/ai/providers', whole);
  const providers = data?.data ?? [];
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const nameOf = (e: Entry) => `${e.model} · ${providers.find((p) => p.id === e.provider_id)?.name ?? e.provider_id}`;
  const move = (from: number, to: number) => {
    if (to < 0 || to >= entries.length || from === to) return;
    onChange(moved(entries, from, to));
    setSaid(t('chain.moved', { name: nameOf(entries[from]!), place: to + 1, of: entries.length }));
  };
  const byKey = (e: KeyboardEvent, at: number) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: entries.length - 1 }[e.key];
    if (to === undefined || disabled) return;
    e.preventDefault();
    flushSync(() => move(at, to)); // the row is where it belongs, so that its handle can keep the focus at once
    const place = Math.min(Math.max(to, 0), entries.length - 1);
    list.current?.querySelectorAll<HTMLElement>('[data-handle]')[place]?.focus();
  };
  return (
    <>
      <Box component="ol" ref={list} p={0} m={0} style={{ listStyle: 'none', display: 'grid', gap: 8 }} aria-label={t('agents.chain')}>
        {entries.map((e, i) => (
          <li
            key={e.key}
            data-entry={e.model}
            draggable={!disabled}
            onDragStart={(ev) => {
              ev.dataTransfer.effectAllowed = 'move';
              ev.dataTransfer.setData('text/plain', e.key);
              setDragged(i);
            }}
            onDragOver={(ev) => {
              if (dragged === undefined) return;
              ev.preventDefault();
              if (dragged !== i) {
                move(dragged, i);
                setDragged(i);
              }
            }}
            onDrop={(ev) => ev.preventDefault()}
            onDragEnd={() => setDragged(undefined)}
            style={{ opacity: dragged === i ? 0.55 : 1 }}
          >
            <One
              entry={e}
              at={i}
              name={nameOf(e)}
              disabled={disabled}
              onKey={(ev) => byKey(ev, i)}
              onChange={(changed) => onChange(entries.map((x, j) => (j === i ? changed : x)))}
              onRemove={() => onChange(entries.filter((_, j) => j !== i))}
            />
          </li>
        ))}
      </Box>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {entries.length === 0 && <Text size="sm">{t('agents.noChain')}</Text>}
      {!disabled && entries.length < mostEntries && (
        <Add providers={providers} entries={entries} onAdd={(e) => onChange([...entries, e])} />
      )}
    </>
  );
}

interface OneProps {
  entry: Entry;
  at: number;
  name: string;
  disabled?: boolean;
  onKey: (e: KeyboardEvent) => void;
  onChange: (e: Entry) => void;
  onRemove: () => void;
}

function One({ entry: e, at, name, disabled, onKey, onChange, onRemove }: OneProps) {
  const { t } = useTranslation('engine');
  const number = (field: 'temperature' | 'max_output_tokens' | 'timeout_seconds', min: number, max: number, step = 1) => (
    <NumberInput
      size="xs"
      label={t(`chain.${field}`)}
      placeholder={t('chain.asUsual')}
      value={e[field]}
      onChange={(v) => onChange({ ...e, [field]: v === '' ? '' : Number(v) })}
      min={min}
      max={max}
      step={step}
      allowDecimal={step < 1}
      disabled={disabled}
    />
  );
  return (
    <Paper p="xs" withBorder>
      <Group wrap="nowrap" gap="xs">
        <ActionIcon
          variant="subtle"
          color="gray"
          data-handle
          aria-label={t('chain.move', { name })}
          disabled={disabled}
          onKeyDown={onKey}
          style={{ cursor: 'grab' }}
        >
          <IconGripVertical size={17} aria-hidden />
        </ActionIcon>
        <Text size="sm" fw={550} style={{ flex: 1, overflowWrap: 'anywhere' }}>
          {at + 1}. {name}
        </Text>
        {!disabled && (
          <ActionIcon variant="subtle" color="gray" aria-label={t('chain.remove', { name })} onClick={onRemove}>
            <IconX size={17} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs" mt={6}>
        {number('temperature', 0, 2, 0.1)}
        {number('max_output_tokens', 16, 200_000)}
        {number('timeout_seconds', 1, 300)}
      </SimpleGrid>
    </Paper>
  );
}

/** Chooses one more model: of a provider that is there, with a known price. */
function Add({ providers, entries, onAdd }: { providers: readonly Provider[]; entries: readonly Entry[]; onAdd: (e: Entry) => void }) {
  const { t } = useTranslation('engine');
  const { data } = useGet('/ai/models', whole);
  const [providerId, setProvider] = useState<string | null>(null);
  const [model, setModel] = useState<string | null>(null);
  const provider = providers.find((p) => p.id === providerId);
  const real = providers.filter((p) => p.status !== 'DISABLED' && (!p.demo || providers.length === 1));
  const models = (data?.data ?? []).filter(
    (m) =>
      m.provider_kind === provider?.kind &&
      (m.supports.json || !m.supports.embedding) &&
      !entries.some((e) => e.provider_id === providerId && e.model === m.model),
  );
  const add = () => {
    if (!providerId || !model) return;
    const e = { provider_id: providerId, model, temperature: '', max_output_tokens: '', timeout_seconds: '' } as const;
    onAdd({ ...e, key: keyOf(e) });
    setModel(null);
  };
  return (
    <Group align="flex-end" gap="xs" mt="sm">
      <Select
        style={{ flex: '1 1 160px' }}
        label={t('column.provider')}
        data={real.map((p) => ({ value: p.id, label: p.name }))}
        value={providerId}
        onChange={(v) => {
          setProvider(v);
          setModel(null);
        }}
      />
      <Select
        style={{ flex: '1 1 160px' }}
        label={t('test.model')}
        data={models.map((m) => ({ value: m.model, label: m.label }))}
        value={model}
        onChange={setModel}
        disabled={!provider}
        searchable
        nothingFoundMessage={t('models.empty')}
      />
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} disabled={!model} onClick={add}>
        {t('chain.add')}
      </Button>
    </Group>
  );
}
