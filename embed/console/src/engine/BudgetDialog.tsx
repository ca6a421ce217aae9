import { Button, Group, NumberInput, Radio, Select, Stack, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog } from '@shell';
import { useTranslation } from 'react-i18next';
import { others, useBudgets, usePutBudgets } from './budget';
import { agents, type Budget } from './types';

const periods = ['DAY', 'MONTH'] as const;
const reactions = ['STOP', 'ALERT_ONLY'] as const;
const usual = ['50', '80', '100'];

/** Adds a budget, or changes one. */
export function BudgetDialog({ budget: b, onClose }: { budget?: Budget; onClose: () => void }) {
  const { t } = useTranslation(['engine', 'shell']);
  const { data } = useBudgets();
  const all = data?.data ?? [];
  const form = useForm({
    initialValues: {
      period: b?.period ?? ('MONTH' as Budget['period']),
      agent: b?.agent ?? null,
      limit_usd: (b?.limit_usd ?? '') as number | '',
      on_limit: b?.on_limit ?? ('STOP' as Budget['on_limit']),
      alert_thresholds: b?.alert_thresholds?.map(String) ?? usual,
    },
    validate: {
      limit_usd: (v) => (v === '' || v < 0 ? t('budget.limitMissing') : null),
      agent: (v, { period }) => (others(all, b).some((x) => x.period === period && (x.agent ?? null) === v) ? t('budget.twice') : null),
      alert_thresholds: (v) => (v.every((x) => /^([1-9]\d?|100)$/.test(x)) ? null : t('budget.thresholdsWrong')),
    },
  });
  const put = usePutBudgets({ done: 'budget.saved', then: onClose });
  const save = form.onSubmit((v) =>
    put.run([...others(all, b), { ...v, limit_usd: Number(v.limit_usd), alert_thresholds: v.alert_thresholds.map(Number) }]),
  );
  return (
    <Dialog onClose={onClose} title={b ? t('budget.edit') : t('budget.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <NumberInput
            label={t('budget.limit')}
            description={t('budget.limitHint')}
            prefix="$"
            min={0}
            decimalScale={2}
            data-autofocus
            {...form.getInputProps('limit_usd')}
          />
          <Select
            label={t('budget.period')}
            allowDeselect={false}
            data={periods.map((value) => ({ value, label: t(`period.${value}`) }))}
            {...form.getInputProps('period')}
          />
          <Select
            label={t('column.agent')}
            placeholder={t('budget.allAgents')}
            clearable
            clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
            data={agents.map((value) => ({ value, label: t(`agent.${value}`) }))}
            {...form.getInputProps('agent')}
          />
          <Radio.Group label={t('budget.onLimit')} {...form.getInputProps('on_limit')}>
            <Stack gap={6} mt={6}>
              {reactions.map((value) => (
                <Radio key={value} value={value} label={t(`onLimit.${value}`)} />
              ))}
            </Stack>
          </Radio.Group>
          <TagsInput label={t('budget.thresholds')} description={t('budget.thresholdsHint')} {...form.getInputProps('alert_thresholds')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={put.pending} disabled={!data}>
              {t('form.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
