import { ActionIcon, Group, NumberInput, Paper, Select, Stack, Text, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { decisionWord } from '@kit';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Draft, ofAnalyses, ofDecisions, usual } from './jev';

/** How sure the service must be of what it says, by what it is about. */
export function Thresholds({ form, disabled }: { form: UseFormReturnType<Draft>; disabled: boolean }) {
  const { t } = useTranslation(['engine', 'kit']);
  const set = form.values.thresholds;
  const word = (field: string): string =>
    (ofAnalyses as readonly string[]).includes(field) ? t(`jev.analysis.${field as 'trust'}`) : decisionWord(field);
  const left = (fields: readonly string[]) =>
    fields.filter((x) => !set.some((s) => s.field === x)).map((value) => ({ value, label: word(value) }));
  return (
    <Paper component="section" aria-label={t('jev.thresholds')}>
      <Title order={2}>{t('jev.thresholds')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('jev.thresholdsLead')}
      </Text>
      <Stack gap="xs">
        {set.map((x, i) => (
          <Group key={x.field} gap="xs" wrap="nowrap" justify="space-between" data-threshold={x.field}>
            <Text size="sm" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {word(x.field)}
            </Text>
            <Group gap={4} wrap="nowrap">
              <NumberInput
                w={100}
                aria-label={word(x.field)}
                min={0}
                max={1}
                step={0.05}
                decimalScale={2}
                disabled={disabled}
                {...form.getInputProps(`thresholds.${i}.least`)}
              />
              {!disabled && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('jev.asUsual', { what: word(x.field) })}
                  onClick={() => form.removeListItem('thresholds', i)}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          </Group>
        ))}
        {form.errors.thresholds && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {form.errors.thresholds}
          </Text>
        )}
        {!disabled && (
          <Select
            label={t('jev.addThreshold')}
            searchable
            value={null}
            data={[
              { group: t('jev.decisions'), items: left(ofDecisions) },
              { group: t('jev.analyses'), items: left(ofAnalyses) },
            ]}
            onChange={(field) => field && form.insertListItem('thresholds', { field, least: usual })}
          />
        )}
      </Stack>
    </Paper>
  );
}
