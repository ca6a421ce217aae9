import {
  Autocomplete,
  Button,
  Grid,
  Group,
  Input,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useGet } from '@shell';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Attachments } from './Attachments';
import { type Format, formats, languages } from './choices';
import type { Edit } from './marks';
import { Preview } from './Preview';
import type { Values } from './template';
import { Toolbar } from './Toolbar';

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

/** Text, formatting and files at the left; at the right what one person gets. */
export function Editor({ form, submit, pending, readOnly, onSubmit }: Props) {
  const { t } = useTranslation(['content', 'shell']);
  const v = form.values;
  const box = useRef<HTMLTextAreaElement>(null);
  const edit = (make: (text: string, from: number, to: number) => Edit) => {
    const at = box.current;
    const next = make(v.text, at?.selectionStart ?? v.text.length, at?.selectionEnd ?? v.text.length);
    form.setFieldValue('text', next.text);
    requestAnimationFrame(() => {
      at?.focus();
      at?.setSelectionRange(next.from, next.to);
    });
  };
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <fieldset disabled={readOnly} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
            <Stack>
              <Paper>
                <Stack>
                  <TextInput label={t('name')} description={t('nameHint')} maxLength={120} {...form.getInputProps('name')} />
                  <SimpleGrid cols={{ base: 1, xs: 2 }}>
                    <Select
                      label={t('language')}
                      data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
                      clearable
                      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
                      {...form.getInputProps('language')}
                    />
                    <Category form={form} />
                  </SimpleGrid>
                </Stack>
              </Paper>
              <Paper>
                <Group justify="space-between" mb="xs" gap="xs">
                  <Input.Label htmlFor="template-text">{t('text')}</Input.Label>
                  <SegmentedControl
                    size="xs"
                    aria-label={t('format')}
                    data={formats.map((value) => ({ value, label: t(`formats.${value}`) }))}
                    value={v.format}
                    onChange={(f) => form.setFieldValue('format', f as Format)}
                    disabled={readOnly}
                  />
                </Group>
                {!readOnly && <Toolbar format={v.format} onEdit={edit} />}
                <Textarea id="template-text" ref={box} autosize minRows={8} maxRows={24} {...form.getInputProps('text')} />
                <Text size="xs" c="dimmed" mt={6}>
                  {t(`formatHint.${v.format}`)}
                </Text>
              </Paper>
              <Attachments
                ids={v.attachment_ids}
                onChange={(ids) => form.setFieldValue('attachment_ids', ids)}
                readOnly={readOnly}
                error={form.errors.attachment_ids}
              />
            </Stack>
          </fieldset>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Preview values={v} onProblem={(text) => form.setFieldError('text', text)} readOnly={readOnly} />
        </Grid.Col>
      </Grid>
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

function Category({ form }: { form: TemplateForm }) {
  const { t } = useTranslation('content');
  const { data } = useGet('/templates', { query: { limit: 500 } });
  const known = [...new Set((data?.data ?? []).map((x) => x.category).filter((c): c is string => c !== null))].sort();
  return (
    <Autocomplete label={t('category')} placeholder={t('categoryHint')} data={known} maxLength={64} {...form.getInputProps('category')} />
  );
}
