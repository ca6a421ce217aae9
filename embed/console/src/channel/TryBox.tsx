import { Button, Group, List, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Schema, useAction } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from './types';

/** A comment that somebody makes up: which rule would act, and why the others do not. */
export function TryBox({ accounts }: { accounts: Channel[] }) {
  const { t } = useTranslation('channel');
  const [found, setFound] = useState<Schema<'AutomationTry'>>();
  const form = useForm({ initialValues: { account_id: accounts[0]?.id ?? '', text: '' } });
  const ask = useAction('post', '/channels/automations/try', { then: setFound });
  return (
    <Paper component="section" aria-label={t('try.title')}>
      <Title order={2} mb="xs">
        {t('try.title')}
      </Title>
      <form onSubmit={form.onSubmit((v) => void ask.run({ body: v } as never))}>
        <Group align="flex-end">
          {accounts.length > 1 && (
            <Select
              label={t('account')}
              allowDeselect={false}
              data={accounts.map((c) => ({ value: c.id, label: c.name }))}
              {...form.getInputProps('account_id')}
            />
          )}
          <TextInput
            label={t('try.text')}
            placeholder={t('try.example')}
            required
            maxLength={2000}
            miw={260}
            {...form.getInputProps('text')}
          />
          <Button type="submit" loading={ask.pending}>
            {t('try.act')}
          </Button>
        </Group>
      </form>
      {found && (
        <Stack gap="xs" mt="md" role="status">
          <Text fw={600}>{found.automation_id ? t('try.acts') : t('try.none')}</Text>
          {found.reply && <Text size="sm">{found.reply}</Text>}
          <List size="sm">
            {found.rules.map((r) => (
              <List.Item key={r.automation_id}>
                {r.name}: {r.reason ? t(`try.reason.${r.reason}`) : t('try.yes')}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Paper>
  );
}
