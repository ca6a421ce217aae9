import { NumberInput, Select, Stack, Text, Title } from '@mantine/core';
import { useGet } from '@shell';
import { useTranslation } from 'react-i18next';

interface Gate {
  dataset_id: string;
  min_pass_rate: number;
  max_regression: number;
}
interface Values {
  dataset: string | null;
  rate: number | string;
  regression: number | string;
}

/** A gate as a form has it: in percent. */
export const gateValues = (g: Gate | null): Values => ({
  dataset: g?.dataset_id ?? null,
  rate: Math.round(1000 * (g?.min_pass_rate ?? 0.9)) / 10,
  regression: Math.round(1000 * (g?.max_regression ?? 0.05)) / 10,
});

/** A gate as the API takes it; null is none. */
export const gateBody = (v: Values): Gate | null =>
  v.dataset ? { dataset_id: v.dataset, min_pass_rate: Number(v.rate) / 100, max_regression: Number(v.regression) / 100 } : null;

/** What an evaluation must have shown before a version of the prompt is activated. */
export function GateFields({ value: v, onChange, disabled }: { value: Values; onChange: (v: Values) => void; disabled: boolean }) {
  const { t } = useTranslation('engine');
  const sets = useGet('/ai/eval-datasets', { query: { limit: 100, agent: 'SELLER' } }).data?.data ?? [];
  const percent = { min: 0, max: 100, decimalScale: 1, disabled: disabled || !v.dataset };
  return (
    <Stack component="fieldset" gap={6} p={0} m={0} style={{ border: 0 }}>
      <Title order={2} component="legend">
        {t('gate.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('gate.lead')}
      </Text>
      <Select
        label={t('gate.dataset')}
        placeholder={t('gate.none')}
        clearable
        clearButtonProps={{ 'aria-label': t('gate.none') }}
        disabled={disabled}
        data={sets.map((d) => ({ value: d.id, label: d.name }))}
        value={v.dataset}
        onChange={(dataset) => onChange({ ...v, dataset })}
      />
      <NumberInput label={t('gate.rate')} {...percent} value={v.rate} onChange={(rate) => onChange({ ...v, rate })} />
      <NumberInput
        label={t('gate.regression')}
        {...percent}
        value={v.regression}
        onChange={(regression) => onChange({ ...v, regression })}
      />
    </Stack>
  );
}
