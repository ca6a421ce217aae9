import { Button, Checkbox, Code, Fieldset, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { compress, type EventGroup, eventGroups, expand, subscribable, unknown, useGroupWord, useTypeWord } from '@kit';
import { type Href, Link, Unsaved } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Webhook } from './health';

export interface Values {
  url: string;
  description: string;
  which: 'all' | 'some';
  types: string[];
  others: string[];
}

export const valuesOf = (w?: Webhook): Values => ({
  url: w?.url ?? '',
  description: w?.description ?? '',
  which: !w || w.events.includes('*') ? 'all' : 'some',
  types: w ? expand(w.events) : [],
  others: w ? unknown(w.events) : [],
});

export const eventsOf = (v: Values): string[] => compress(v.which === 'all', v.types, v.others);

export function useWebhookForm(initialValues: Values) {
  const { t } = useTranslation('hook');
  return useForm<Values>({
    initialValues,
    validate: {
      url: (v) => (/^https?:\/\/[^\s/]+/.test(v.trim()) ? null : t('form.urlWrong')),
      types: (v, all) => (all.which === 'some' && v.length + all.others.length === 0 ? t('form.typesMissing') : null),
    },
  });
}

interface Props {
  form: UseFormReturnType<Values>;
  pending: boolean;
  submit: string;
  back: Href;
  onSubmit: (v: Values) => void;
}

export function WebhookForm({ form, pending, submit, back, onSubmit }: Props) {
  const { t } = useTranslation(['hook', 'shell']);
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Unsaved form={form} />
      <Stack maw={760}>
        <Fieldset legend={t('form.where')}>
          <Stack gap="sm">
            <TextInput
              label={t('form.url')}
              description={t('form.urlHint')}
              type="url"
              maxLength={2048}
              placeholder="https://example.com/hook"
              autoFocus
              {...form.getInputProps('url')}
            />
            <TextInput
              label={t('form.description')}
              description={t('form.descriptionHint')}
              maxLength={500}
              {...form.getInputProps('description')}
            />
          </Stack>
        </Fieldset>
        <Fieldset legend={t('form.which')}>
          <Radio.Group {...form.getInputProps('which')} aria-label={t('form.which')}>
            <Stack gap={6}>
              <Radio value="all" label={t('form.all')} description={t('form.allHint')} />
              <Radio value="some" label={t('form.some')} />
            </Stack>
          </Radio.Group>
          {form.values.which === 'some' && <Types form={form} />}
          {form.errors.types && (
            <Text size="sm" mt="xs" c="var(--mantine-color-error)" role="alert">
              {form.errors.types}
            </Text>
          )}
          {form.errors.events && (
            <Text size="sm" mt="xs" c="var(--mantine-color-error)" role="alert">
              {form.errors.events}
            </Text>
          )}
        </Fieldset>
        <Group>
          <Button type="submit" loading={pending}>
            {submit}
          </Button>
          <Button variant="default" component={Link} to={back}>
            {t('shell:cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Types({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} mt="md" spacing="lg">
      {eventGroups.map((g) => (
        <OneGroup key={g} group={g} form={form} />
      ))}
    </SimpleGrid>
  );
}

/** The types of one group, and a box for all of them. */
function OneGroup({ group, form }: { group: EventGroup; form: UseFormReturnType<Values> }) {
  const typeWord = useTypeWord();
  const groupWord = useGroupWord();
  const types = subscribable(group);
  const chosen = form.values.types;
  const here = types.filter((x) => chosen.includes(x)).length;
  const put = (next: string[]) => form.setFieldValue('types', next);
  const without = chosen.filter((x) => !types.includes(x));
  return (
    <div role="group" aria-label={groupWord(group)}>
      <Checkbox
        fw={600}
        label={groupWord(group)}
        checked={here === types.length}
        indeterminate={here > 0 && here < types.length}
        onChange={() => put(here === types.length ? without : [...without, ...types])}
      />
      <Stack gap={6} mt={6} ml="lg">
        {types.map((type) => (
          <Checkbox
            key={type}
            size="xs"
            label={typeWord(type)}
            description={
              <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
                {type}
              </Code>
            }
            checked={chosen.includes(type)}
            onChange={(e) => put(e.currentTarget.checked ? [...chosen, type] : chosen.filter((x) => x !== type))}
          />
        ))}
      </Stack>
    </div>
  );
}
