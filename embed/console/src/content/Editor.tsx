import { Autocomplete, Button, Group, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { Composer } from '@kit';
import { Link, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import { languages } from './choices';
import type { Values } from './template';

export type TemplateForm = UseFormReturnType<Values>;

export function useTemplateForm(initialValues: Values): TemplateForm {
  const { t } = useTranslation('content');
  return useForm<Values>({
    initialValues,
    validate: {
      name: (v) => (v.trim() ? null : t('nameMissing')),
      text: (v, all) => (v.trim() || all.attachment_ids.length ? null : t('textMissing')),
    },
  });
}

interface Props {
  form: TemplateForm;
  submit: string;
  pending: boolean;
  readOnly?: boolean;
  onSubmit: (v: Values) => void;
}

/** A template: what it is called, and the composer. */
export function Editor({ form, submit, pending, readOnly, onSubmit }: Props) {
  const { t } = useTranslation(['content', 'shell']);
  const v = form.values;
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Composer
        id="template-text"
        message={v}
        onChange={(m) => form.setValues(m)}
        errors={{ text: form.errors.text, attachment_ids: form.errors.attachment_ids }}
        lock={readOnly ? 'all' : undefined}
        onProblem={(text) => form.setFieldError('text', text)}
      >
        <Paper>
          <Stack>
            <TextInput label={t('name')} description={t('nameHint')} maxLength={120} disabled={readOnly} {...form.getInputProps('name')} />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Select
                label={t('language')}
                data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
                clearable
                clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
                disabled={readOnly}
                {...form.getInputProps('language')}
              />
              <Category form={form} disabled={readOnly} />
            </SimpleGrid>
          </Stack>
        </Paper>
      </Composer>
      {!readOnly && (
        <Group mt="md">
          <Button type="submit" loading={pending}>
            {submit}
          </Button>
          <Button variant="default" component={Link} to="/templates">
            {t('shell:cancel')}
          </Button>
        </Group>
      )}
    </form>
  );
}

function Category({ form, disabled }: { form: TemplateForm; disabled?: boolean }) {
  const { t } = useTranslation('content');
  const { data } = useGet('/templates', { query: { limit: 500 } });
  const known = [...new Set((data?.data ?? []).map((x) => x.category).filter((c): c is string => c !== null))].sort();
  return (
    <Autocomplete
      label={t('category')}
      placeholder={t('categoryHint')}
      data={known}
      maxLength={64}
      disabled={disabled}
      {...form.getInputProps('category')}
    />
  );
}
