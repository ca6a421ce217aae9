import { MultiSelect, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog } from '@shell';
import { useTranslation } from 'react-i18next';
import { Ends } from './parts';
import { keyFor } from './stages';
import { actions, type Stage, triggers } from './types';

interface Props {
  stage?: Stage;
  taken: readonly string[];
  onKeep: (s: Stage) => void;
  onClose: () => void;
}

/** One stage: what it is for, and what the seller does in it. It is kept on the board until the stages are replaced. */
export function StageDialog({ stage: s, taken, onKeep, onClose }: Props) {
  const { t } = useTranslation('business');
  const form = useForm({
    initialValues: {
      name: s?.name ?? '',
      objective: s?.objective ?? '',
      allowed_actions: s?.allowed_actions ?? [],
      prohibited_actions: s?.prohibited_actions ?? [],
      recommended_questions: s?.recommended_questions ?? [],
      handoff_rules: s?.handoff_rules ?? [],
    },
    validate: {
      name: (v) => (v.trim() ? null : t('nameMissing')),
      prohibited_actions: (v, all) => (v.some((a) => all.allowed_actions.includes(a)) ? t('stage.both') : null),
    },
  });
  const keep = form.onSubmit((v) =>
    onKeep({
      ...v,
      name: v.name.trim(),
      objective: v.objective.trim(),
      key: s?.key ?? keyFor(v.name, taken),
      order: s?.order ?? taken.length,
    }),
  );
  const words = actions.map((value) => ({ value, label: t(`action.${value}`) }));
  return (
    <Dialog onClose={onClose} title={s ? t('stage.edit', { name: s.name }) : t('stage.add')} size="lg">
      <form onSubmit={keep} noValidate>
        <Stack>
          <TextInput label={t('name')} maxLength={80} data-autofocus {...form.getInputProps('name')} />
          <Textarea
            label={t('stage.objective')}
            description={t('stage.objectiveHint')}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={1000}
            {...form.getInputProps('objective')}
          />
          <MultiSelect
            label={t('stage.allowed')}
            placeholder={form.values.allowed_actions.length === 0 ? t('stage.allActions') : undefined}
            data={words}
            {...form.getInputProps('allowed_actions')}
          />
          <MultiSelect label={t('stage.prohibited')} data={words} {...form.getInputProps('prohibited_actions')} />
          <TagsInput
            label={t('stage.questions')}
            description={t('stage.questionsHint')}
            splitChars={['\n']}
            {...form.getInputProps('recommended_questions')}
          />
          <MultiSelect
            label={t('stage.handoff')}
            data={triggers.map((value) => ({ value, label: t(`trigger.${value}`) }))}
            {...form.getInputProps('handoff_rules')}
          />
          <Ends act={t('stage.keep')} pending={false} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
