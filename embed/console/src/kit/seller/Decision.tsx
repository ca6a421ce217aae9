import { Group, Stack, Text } from '@mantine/core';
import { useFormat, useGet } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Decided, decidedOf, type Execution } from './turn';
import classes from './why.module.css';
import { fieldOfDecision, valueOfDecision } from './words';

/** What was decided, field by field: how sure it is, and from where on it counts. */
export function Decision({ of, business }: { of: Execution['decision']; business: string | null }) {
  const { t } = useTranslation('kit');
  const fields = decidedOf(of);
  const id = of?.decision_id;
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('why.noDecision')}
      </Text>
    );
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs">
        {t('why.decisionLead')}
      </Text>
      <Stack gap={8}>
        {fields.map((d) => (
          <Field key={d.field} of={d}>
            {d.field === 'sales_stage' && business ? <Stage business={business} stage={d.value} /> : valueOfDecision(d.field, d.value)}
          </Field>
        ))}
      </Stack>
      {typeof id === 'string' && <Masked id={id} />}
    </>
  );
}

/** A stage by the name that a funnel of the business gives it. */
function Stage({ business, stage }: { business: string; stage: string }) {
  const { data } = useGet('/ai/sales-pipeline', { query: { business_id: business } });
  return data?.data.flatMap((x) => x.stages).find((s) => s.key === stage)?.name ?? stage;
}

function Field({ of: d, children }: { of: Decided; children: ReactNode }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  const sure = t('why.sure', { sure: f.percent(d.confidence), threshold: f.percent(d.threshold) });
  return (
    <div data-field={d.field} data-trusted={d.trusted || undefined}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-end">
        <Text size="sm">
          {fieldOfDecision(d.field)}:{' '}
          <Text span fw={600} c={d.trusted ? undefined : 'dimmed'}>
            {children}
          </Text>
        </Text>
        <Text size="xs" c="dimmed" ta="right" style={{ flex: 'none' }}>
          {d.trusted ? t(`why.source.${d.source}`) : t('why.unsure')}
        </Text>
      </Group>
      <div className={classes.bar} data-trusted={d.trusted || undefined} role="img" aria-label={sure} title={sure}>
        <span className={classes.fill} style={{ width: `${d.confidence * 100}%` }} />
        <span className={classes.threshold} style={{ left: `${Math.min(d.threshold, 0.995) * 100}%` }} />
      </div>
    </div>
  );
}

/** What no model has seen; nothing is said where nothing was hidden. */
function Masked({ id }: { id: string }) {
  const { t } = useTranslation('kit');
  const { data } = useGet('/ai/jev/decisions/{id}', { path: { id } });
  const m = data?.masked_counts;
  if (!m || m.card + m.phone + m.email === 0) return null;
  return (
    <Text size="sm" mt="xs">
      {t('why.masked', { card: String(m.card), phone: String(m.phone), email: String(m.email) })}
    </Text>
  );
}
