import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  MultiSelect,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { type Href, Link, Unsaved, useGet } from '@shell';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { consentOptions, grantable, languageOptions } from './choices';
import { check, type Values } from './fields';

export type RecipientFormType = UseFormReturnType<Values>;

export function useRecipientForm(initialValues: Values): RecipientFormType {
  const { t } = useTranslation('recipient');
  return useForm<Values>({
    initialValues,
    validate: (v) => Object.fromEntries(Object.entries(check(v)).map(([field, why]) => [field, t(`wrong.${why}`)])),
  });
}

interface Props {
  form: RecipientFormType;
  pending: boolean;
  submit: string;
  /** Where "cancel" leads. */
  back: Href;
  /** Lists are chosen here only for somebody new. */
  lists?: boolean;
  /** Nobody who opted out is brought back by hand. */
  optedOut?: boolean;
  onSubmit: (v: Values) => void;
}

export function RecipientForm({ form, pending, submit, back, lists, optedOut, onSubmit }: Props) {
  const { t } = useTranslation(['recipient', 'shell']);
  const { data: tags } = useGet('/recipients/tags', {});
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Unsaved form={form} />
      <Stack maw={760}>
        <Paper>
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={t('field.username')}
                description={t('field.usernameHint')}
                autoFocus
                autoCapitalize="off"
                spellCheck={false}
                {...form.getInputProps('username')}
              />
              <TextInput
                label={t('field.messengerId')}
                description={t('field.messengerIdHint')}
                inputMode="numeric"
                {...form.getInputProps('messenger_id')}
              />
              <TextInput label={t('field.firstName')} {...form.getInputProps('first_name')} />
              <TextInput label={t('field.lastName')} {...form.getInputProps('last_name')} />
              <Select
                label={t('field.language')}
                data={languageOptions(t)}
                clearable
                clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
                {...form.getInputProps('language')}
              />
              <TagsInput label={t('column.tags')} data={tags?.data.map((x) => x.tag)} maxTags={50} {...form.getInputProps('tags')} />
              {lists && <Lists form={form} />}
            </SimpleGrid>
          </Stack>
        </Paper>
        <Fieldset legend={t('consentTitle')}>
          {optedOut ? (
            <Text size="sm">{t('consentFixed')}</Text>
          ) : (
            <Stack>
              <Select
                label={t('field.consent')}
                description={t('field.consentHint')}
                data={consentOptions(t, grantable)}
                allowDeselect={false}
                {...form.getInputProps('consent_status')}
              />
              <Textarea
                label={t('field.note')}
                description={t('field.noteHint')}
                autosize
                minRows={2}
                maxLength={1000}
                {...form.getInputProps('consent_note')}
              />
            </Stack>
          )}
        </Fieldset>
        <Attributes form={form} />
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

function Lists({ form }: { form: RecipientFormType }) {
  const { t } = useTranslation('recipient');
  const { data } = useGet('/lists', { query: { limit: 500 } });
  return (
    <MultiSelect
      label={t('column.lists')}
      data={data?.data.map((l) => ({ value: l.id, label: l.name }))}
      searchable
      {...form.getInputProps('list_ids')}
    />
  );
}

/** Free fields, which messages use as variables. */
function Attributes({ form }: { form: RecipientFormType }) {
  const { t } = useTranslation('recipient');
  return (
    <Fieldset legend={t('attributes')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('attributesHint')}
        </Text>
        {form.values.attributes.map((_, i) => (
          <Group key={i} wrap="nowrap" align="flex-start" gap="xs">
            <TextInput
              flex={1}
              aria-label={t('attributeKey', { n: i + 1 })}
              placeholder="city"
              {...form.getInputProps(`attributes.${i}.key`)}
            />
            <TextInput
              flex={2}
              aria-label={t('attributeValue', { n: i + 1 })}
              placeholder="Toshkent"
              {...form.getInputProps(`attributes.${i}.value`)}
            />
            <ActionIcon
              size="lg"
              color="gray"
              onClick={() => form.removeListItem('attributes', i)}
              aria-label={t('attributeRemove', { n: i + 1 })}
            >
              <IconTrash size={17} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {form.errors.attributes && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {form.errors.attributes}
          </Text>
        )}
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => form.insertListItem('attributes', { key: '', value: '' })}
          >
            {t('attributeAdd')}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}
