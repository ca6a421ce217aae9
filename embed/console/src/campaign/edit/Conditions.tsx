import { ActionIcon, Button, Group, SegmentedControl, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { type Schema, useCan, useGet } from '@shell';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

export type Condition = Schema<'RecipientCondition'>;
type Op = Condition['op'];

const ops = ['eq', 'ne', 'contains', 'exists', 'gt', 'lt', 'in'] as const satisfies readonly Op[];
const most = 20;
const consents = ['OPTED_IN', 'AUTHORIZED', 'EXISTING_RELATIONSHIP', 'UNKNOWN', 'OPTED_OUT'] as const;

/** What the API is given for what was typed: exists has true or false, in a list, the others a text. */
export function conditionOf(field: string, op: Op, typed: string | readonly string[]): Condition | undefined {
  const texts = [typed].flat().filter((v) => v.trim() !== '');
  if (!field) return undefined;
  if (op === 'exists') return { field, op, value: texts[0] !== 'false' };
  if (texts.length === 0) return undefined; // not said yet
  return { field, op, value: op === 'in' ? texts : texts[0] };
}

/** A condition as it stands in its fields. */
const typedOf = (c: Condition): string[] => [c.value ?? 'true'].flat().map(String);

interface Props {
  match: 'ALL' | 'ANY';
  where: readonly Condition[];
  disabled: boolean;
  error?: string;
  onChange: (change: { match?: 'ALL' | 'ANY'; where?: Condition[] }) => void;
}

interface Row {
  key: number;
  field: string;
  op: Op;
  typed: string[];
}

/** Conditions on language, consent and what people carry (contract 21.2). A row that says nothing yet is not sent. */
export function Conditions({ match, where, disabled, error, onChange }: Props) {
  const { t } = useTranslation('campaign');
  const [rows, setRows] = useState<readonly Row[]>(() => where.map((c, key) => ({ key, field: c.field, op: c.op, typed: typedOf(c) })));
  const change = (next: readonly Row[]) => {
    setRows(next);
    onChange({ where: next.flatMap((r) => conditionOf(r.field, r.op, r.typed) ?? []) });
  };
  const put = (key: number, part: Partial<Row>) => change(rows.map((r) => (r.key === key ? { ...r, ...part } : r)));
  return (
    <Stack gap="xs" role="group" aria-label={t('where.title')}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {t('where.title')}
        </Text>
        {rows.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('where.match')}
            disabled={disabled}
            value={match}
            onChange={(v) => onChange({ match: v as 'ALL' | 'ANY' })}
            data={(['ALL', 'ANY'] as const).map((value) => ({ value, label: t(`where.${value}`) }))}
          />
        )}
      </Group>
      {rows.map((r) => (
        <Line
          key={r.key}
          row={r}
          disabled={disabled}
          onChange={(part) => put(r.key, part)}
          onRemove={() => change(rows.filter((x) => x !== r))}
        />
      ))}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {!disabled && rows.length < most && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setRows([...rows, { key: Math.max(-1, ...rows.map((r) => r.key)) + 1, field: '', op: 'eq', typed: [] }])}
        >
          {t('where.add')}
        </Button>
      )}
    </Stack>
  );
}

interface LineProps {
  row: Row;
  disabled: boolean;
  onChange: (part: Partial<Row>) => void;
  onRemove: () => void;
}

function Line({ row: r, disabled, onChange, onRemove }: LineProps) {
  const { t } = useTranslation('campaign');
  const can = useCan();
  const { data } = useGet('/recipients/attributes', {}, { enabled: can('recipients:read') });
  const own = (data?.data ?? []).map((a) => ({ value: `attributes.${a.key}`, label: a.key }));
  const known = own.some((o) => o.value === r.field);
  const fields = [
    { value: 'language', label: t('where.field.language') },
    { value: 'consent_status', label: t('where.field.consent_status') },
    ...own,
    ...(r.field.startsWith('attributes.') && !known ? [{ value: r.field, label: r.field.slice('attributes.'.length) }] : []),
  ];
  const sample = data?.data.find((a) => `attributes.${a.key}` === r.field)?.sample;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Group gap={6} flex={1} grow preventGrowOverflow={false}>
        <Select
          aria-label={t('where.what')}
          placeholder={t('where.what')}
          miw={120}
          data={fields}
          value={r.field || null}
          searchable
          allowDeselect={false}
          disabled={disabled}
          onChange={(field) => onChange({ field: field ?? '', typed: [] })}
        />
        <Select
          aria-label={t('where.how')}
          miw={120}
          data={ops.map((value) => ({ value, label: t(`where.op.${value}`) }))}
          value={r.op}
          allowDeselect={false}
          disabled={disabled}
          onChange={(op) => onChange({ op: op as Op, typed: op === 'exists' ? ['true'] : r.typed })}
        />
        <Value row={r} disabled={disabled} sample={sample} onChange={(typed) => onChange({ typed })} />
      </Group>
      <ActionIcon color="gray" mt={4} disabled={disabled} onClick={onRemove} aria-label={t('where.remove')}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** What a field is compared with. */
function Value({
  row: r,
  disabled,
  sample,
  onChange,
}: Pick<LineProps, 'row' | 'disabled'> & { sample: unknown; onChange: (typed: string[]) => void }) {
  const { t } = useTranslation('campaign');
  const label = t('where.value');
  const placeholder = sample === undefined || sample === null ? label : t('where.such', { value: String(sample) });
  if (r.op === 'exists')
    return (
      <Select
        aria-label={label}
        miw={120}
        allowDeselect={false}
        disabled={disabled}
        data={(['true', 'false'] as const).map((value) => ({ value, label: t(`where.${value}`) }))}
        value={r.typed[0] ?? 'true'}
        onChange={(v) => onChange([v ?? 'true'])}
      />
    );
  if (r.op === 'in')
    return (
      <TagsInput
        aria-label={label}
        miw={140}
        placeholder={placeholder}
        disabled={disabled}
        value={r.typed}
        maxTags={100}
        onChange={onChange}
      />
    );
  if (r.field === 'consent_status')
    return (
      <Select
        aria-label={label}
        miw={140}
        disabled={disabled}
        data={consents.map((value) => ({ value, label: t(`where.consent.${value}`) }))}
        value={r.typed[0] ?? null}
        onChange={(v) => onChange(v ? [v] : [])}
      />
    );
  return (
    <TextInput
      aria-label={label}
      miw={120}
      placeholder={placeholder}
      disabled={disabled}
      maxLength={1000}
      value={r.typed[0] ?? ''}
      onChange={(e) => onChange([e.currentTarget.value])}
    />
  );
}
