import { Button, Group, Select, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { SideDialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Automation, Channel } from './types';

interface Props {
  accounts: Channel[];
  automation?: Automation;
  onClose: () => void;
}

const triggers = ['KEYWORDS', 'JEV_PURCHASE_INTEREST'] as const;
const matches = ['ANY', 'ALL', 'EXACT'] as const;
const modes = ['TEMPLATE', 'SELLER'] as const;

/** One rule: which comments, and what is written. */
export function AutomationDialog({ accounts, automation: a, onClose }: Props) {
  const { t } = useTranslation('channel');
  const form = useForm({
    initialValues: {
      account_id: a?.account_id ?? accounts[0]?.id ?? '',
      name: a?.name ?? '',
      trigger: a?.trigger ?? 'KEYWORDS',
      keywords: a?.keywords ?? [],
      match: a?.match ?? 'ANY',
      reply_mode: a?.reply_mode ?? 'TEMPLATE',
      template_text: a?.template_text ?? '',
      public_reply_text: a?.public_reply_text ?? '',
      once_per_person: a?.once_per_person ?? true,
    },
  });
  const o = { form: form as never, stale: ['/channels/automations'], done: t('saved'), then: onClose };
  const create = useAction('post', '/channels/automations', o);
  const change = useAction('patch', '/channels/automations/{id}', o);
  const choices = (group: string, list: readonly string[]) => list.map((value) => ({ value, label: t(`automation.${group}.${value}`) }));
  const submit = form.onSubmit((v) => {
    const body = { ...v, template_text: v.template_text.trim() || null, public_reply_text: v.public_reply_text.trim() || null };
    if (a) void change.run({ path: { id: a.id }, body } as never);
    else void create.run({ body } as never);
  });
  const { values } = form;
  return (
    <SideDialog title={t(a ? 'automation.editTitle' : 'automation.add')} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput label={t('automation.name')} maxLength={100} required data-autofocus {...form.getInputProps('name')} />
          {!a && (
            <Select
              label={t('account')}
              allowDeselect={false}
              data={accounts.map((c) => ({ value: c.id, label: c.name }))}
              {...form.getInputProps('account_id')}
            />
          )}
          <Select
            label={t('automation.when')}
            allowDeselect={false}
            data={choices('trigger', triggers)}
            {...form.getInputProps('trigger')}
          />
          {values.trigger === 'KEYWORDS' && (
            <>
              <TagsInput label={t('automation.keywords')} description={t('automation.keywordsHint')} {...form.getInputProps('keywords')} />
              <Select
                label={t('automation.matchLabel')}
                allowDeselect={false}
                data={choices('match', matches)}
                {...form.getInputProps('match')}
              />
            </>
          )}
          <Select
            label={t('automation.modeLabel')}
            allowDeselect={false}
            data={choices('mode', modes)}
            {...form.getInputProps('reply_mode')}
          />
          {values.reply_mode === 'TEMPLATE' && (
            <Textarea label={t('automation.template')} autosize minRows={3} maxLength={1000} {...form.getInputProps('template_text')} />
          )}
          <Textarea
            label={t('automation.public')}
            description={t('automation.publicHint')}
            autosize
            maxLength={1000}
            {...form.getInputProps('public_reply_text')}
          />
          <Switch label={t('automation.once')} {...form.getInputProps('once_per_person', { type: 'checkbox' })} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={create.pending || change.pending}>
              {t('automation.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SideDialog>
  );
}
