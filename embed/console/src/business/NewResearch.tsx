import { Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import { linesOf } from './lines';
import { Ends } from './parts';
import { whole } from './types';

/** Asks for something to be looked up: for which business, about what, and where first. */
export function NewResearch({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('business');
  const { data } = useGet('/ai/businesses', { query: { ...whole, status: 'ACTIVE' } });
  const businesses = data?.data ?? [];
  const only = businesses.length === 1 ? businesses[0]!.id : null;
  const form = useForm({
    initialValues: { business_id: null as string | null, topic: '', questions: '', urls: '' },
    validate: {
      business_id: (v) => (v || only ? null : t('research.businessMissing')),
      topic: (v) => (v.trim() ? null : t('research.topicMissing')),
    },
  });
  const create = useAction('post', '/ai/research', { form, stale: ['/ai/research'], done: t('research.begun'), then: onClose });
  const save = form.onSubmit((v) => {
    const business_id = v.business_id ?? only;
    if (!business_id) return;
    void create.run({ body: { business_id, topic: v.topic.trim(), questions: linesOf(v.questions), urls: linesOf(v.urls) } });
  });
  return (
    <Dialog onClose={onClose} title={t('research.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          {!only && (
            <Select
              label={t('one')}
              allowDeselect={false}
              data={businesses.map((b) => ({ value: b.id, label: b.name }))}
              {...form.getInputProps('business_id')}
            />
          )}
          <TextInput
            label={t('research.topic')}
            placeholder={t('research.topicExample')}
            maxLength={200}
            data-autofocus
            {...form.getInputProps('topic')}
          />
          <Textarea
            label={t('research.questions')}
            description={t('research.questionsHint')}
            autosize
            minRows={2}
            maxRows={5}
            {...form.getInputProps('questions')}
          />
          <Textarea
            label={t('research.urls')}
            description={t('research.urlsHint')}
            placeholder="https://"
            autosize
            minRows={2}
            maxRows={10}
            {...form.getInputProps('urls')}
          />
          <Text size="sm" c="dimmed">
            {t('research.about')}
          </Text>
          <Ends act={t('research.act')} pending={create.pending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
