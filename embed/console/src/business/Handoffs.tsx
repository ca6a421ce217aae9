import { Group, MultiSelect, NumberInput, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useCan, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Draft } from './settings';
import { always, triggers, whole } from './types';

/** When a conversation goes to a person, and who is told. */
export function Handoffs({ form, disabled }: { form: UseFormReturnType<Draft>; disabled?: boolean }) {
  const { t } = useTranslation('business');
  const members = useGet('/members', { query: whole }, { enabled: useCan()('members:read') });
  const people = (members.data?.data ?? []).map((m) => ({ value: m.user.id, label: m.user.name || m.user.email }));
  return (
    <Paper component="section">
      <Title order={2}>{t('seller.handoffs')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('seller.handoffsLead')}
      </Text>
      <Stack>
        {triggers.map((x) => {
          const at = `handoff_rules.${x}` as const;
          const rule = form.values.handoff_rules[x];
          return (
            <Group key={x} align="flex-start" justify="space-between" gap="xs" data-trigger={x}>
              <Switch
                label={t(`trigger.${x}`)}
                description={always.includes(x) ? t('seller.always') : t(`triggerHint.${x}`)}
                disabled={disabled || always.includes(x)}
                style={{ flex: '1 1 260px' }}
                {...form.getInputProps(`${at}.enabled`, { type: 'checkbox' })}
              />
              {rule.enabled && (
                <Stack gap={6} style={{ flex: '1 1 240px' }}>
                  {(x === 'HIGH_VALUE_LEAD' || x === 'CUSTOM') && (
                    <NumberInput
                      label={t(x === 'CUSTOM' ? 'seller.sure' : 'seller.sum')}
                      min={0}
                      max={x === 'CUSTOM' ? 1 : undefined}
                      step={x === 'CUSTOM' ? 0.05 : 1}
                      thousandSeparator=" "
                      disabled={disabled}
                      {...form.getInputProps(`${at}.threshold`)}
                    />
                  )}
                  {x === 'CUSTOM' && (
                    <TextInput
                      label={t('seller.sentence')}
                      placeholder={t('seller.sentenceExample')}
                      maxLength={500}
                      disabled={disabled}
                      {...form.getInputProps(`${at}.sentence`)}
                    />
                  )}
                  {people.length > 0 && (
                    <MultiSelect
                      aria-label={`${t('seller.notify')}: ${t(`trigger.${x}`)}`}
                      placeholder={rule.notify_user_ids.length === 0 ? t('seller.notifyAll') : undefined}
                      data={people}
                      maxValues={20}
                      disabled={disabled}
                      {...form.getInputProps(`${at}.notify_user_ids`)}
                    />
                  )}
                </Stack>
              )}
            </Group>
          );
        })}
      </Stack>
    </Paper>
  );
}
