import { Button, Checkbox, Group, NumberInput, Radio, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import { bySubject, type Key } from './scopes';

const lives = ['30', '90', '365', 'other', 'never'] as const;
const verbs = ['read', 'manage', 'execute'] as const;
const longest = 3650;

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (k: Key) => void }) {
  const { t } = useTranslation(['session', 'shell']);
  const form = useForm({
    initialValues: { name: '', life: '365' as string, days: 180 as number | string, all: 'all', scopes: [] as string[] },
    validate: {
      name: (v) => (v.trim() ? null : t('keys.nameMissing')),
      days: (v, all) => (all.life === 'other' && !(Number(v) >= 1 && Number(v) <= longest) ? t('keys.daysWrong', { most: longest }) : null),
      scopes: (v, all) => (all.all === 'some' && v.length === 0 ? t('keys.scopesMissing') : null),
    },
  });
  const create = useAction('post', '/api-keys', { form, stale: ['/api-keys'], then: onMade });
  const v = form.values;
  const submit = () =>
    void create.run({
      body: {
        name: v.name.trim(),
        expires_in_days: v.life === 'never' ? null : Number(v.life === 'other' ? v.days : v.life),
        scopes: v.all === 'all' ? undefined : v.scopes,
      },
    });
  return (
    <Dialog onClose={onClose} title={t('keys.newTitle')} size="lg">
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack>
          <TextInput
            label={t('keys.name')}
            description={t('keys.nameHint')}
            maxLength={120}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Group grow align="flex-start">
            <Select
              label={t('keys.life')}
              data={lives.map((value) => ({ value, label: t(`keys.lives.${value}`) }))}
              allowDeselect={false}
              {...form.getInputProps('life')}
            />
            {v.life === 'other' && (
              <NumberInput label={t('keys.days')} min={1} max={longest} allowDecimal={false} {...form.getInputProps('days')} />
            )}
          </Group>
          <Radio.Group label={t('keys.mayDo')} {...form.getInputProps('all')}>
            <Stack gap={6} mt={6}>
              <Radio value="all" label={t('keys.mayAll')} />
              <Radio value="some" label={t('keys.maySome')} />
            </Stack>
          </Radio.Group>
          {v.all === 'some' && (
            <Scopes value={v.scopes} onChange={(s) => form.setFieldValue('scopes', s)} error={form.errors.scopes as string | undefined} />
          )}
          <Text size="sm" c="dimmed">
            {t('keys.limits')}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending}>
              {t('keys.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What the key may do: a row a subject, a box a verb. */
function Scopes({ value, onChange, error }: { value: string[]; onChange: (v: string[]) => void; error?: string }) {
  const { t } = useTranslation('session');
  return (
    <div>
      <Table verticalSpacing={4} aria-label={t('keys.mayDo')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('keys.what')}</Table.Th>
            {verbs.map((verb) => (
              <Table.Th key={verb} ta="center">
                {t(`verb.${verb}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bySubject().map(([subject, has]) => (
            <Table.Tr key={subject}>
              <Table.Th scope="row" fw={400}>
                {t(`subject.${subject}`)}
              </Table.Th>
              {verbs.map((verb) => {
                const scope = `${subject}:${verb}`;
                return (
                  <Table.Td key={verb}>
                    {has.includes(verb) && (
                      <Checkbox
                        mx="auto"
                        w="fit-content"
                        size="xs"
                        checked={value.includes(scope)}
                        aria-label={`${t(`subject.${subject}`)}: ${t(`verb.${verb}`)}`}
                        onChange={(e) => onChange(e.currentTarget.checked ? [...value, scope] : value.filter((x) => x !== scope))}
                      />
                    )}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
