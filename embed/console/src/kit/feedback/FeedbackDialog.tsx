import { Button, Checkbox, Chip, Group, Rating, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import { labels, type Target } from './labels';

interface Props {
  target: Target;
  id: string;
  text: string | null;
  onClose: () => void;
}

/** What a person says of it. What is marked in the text becomes the wrong part. */
export default function FeedbackDialog({ target, id, text, onClose }: Props) {
  const { t } = useTranslation(['kit', 'shell']);
  const form = useForm({
    initialValues: { labels: [] as string[], rating: 0, wrong_text: '', corrected_text: '', comment: '', request_review: true },
  });
  const v = form.values;
  const said = v.labels.length > 0 || v.rating > 0 || v.wrong_text.trim() || v.corrected_text.trim() || v.comment.trim();
  const create = useAction('post', '/ai/feedback', {
    form,
    stale: ['/ai/feedback', '/ai/performance'],
    done: t('feedback.thanks'),
    then: onClose,
  });
  const choose = (list: string[]) => {
    const fresh = list.find((l) => !v.labels.includes(l));
    form.setFieldValue('labels', fresh === 'GOOD' ? ['GOOD'] : list.filter((l) => l !== 'GOOD' || fresh === undefined));
  };
  const mark = () => {
    const part = window.getSelection()?.toString().trim() ?? '';
    if (part && text?.includes(part)) form.setFieldValue('wrong_text', part);
  };
  const save = form.onSubmit(
    (x) =>
      void create.run({
        body: {
          target,
          target_id: id,
          labels: x.labels,
          rating: x.rating || null,
          wrong_text: x.wrong_text.trim() || null,
          corrected_text: x.corrected_text.trim() || null,
          comment: x.comment.trim() || null,
          request_review: x.request_review,
        } as never,
      }),
  );
  return (
    <Dialog onClose={onClose} title={t('feedback.title')}>
      <form onSubmit={save} noValidate>
        <Stack>
          {text && (
            <Text
              size="sm"
              p="xs"
              bg="var(--mantine-color-default-hover)"
              style={{ whiteSpace: 'pre-wrap', borderRadius: 6 }}
              onMouseUp={mark}
            >
              {text}
            </Text>
          )}
          <Chip.Group multiple value={v.labels} onChange={choose}>
            <Group gap={6} role="group" aria-label={t('feedback.labels')}>
              {labels.map((l) => (
                <Chip key={l} value={l} size="sm">
                  {t(`feedback.label.${l}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <Group gap="xs">
            <Text size="sm">{t('feedback.rating')}</Text>
            <Rating
              value={v.rating}
              onChange={(n) => form.setFieldValue('rating', n === v.rating ? 0 : n)}
              getSymbolLabel={(n) => t('feedback.star', { n })}
            />
          </Group>
          {text && (
            <TextInput
              label={t('feedback.wrong')}
              description={t('feedback.wrongHint')}
              maxLength={1000}
              {...form.getInputProps('wrong_text')}
            />
          )}
          <Textarea label={t('feedback.corrected')} autosize maxLength={16384} {...form.getInputProps('corrected_text')} />
          <Textarea label={t('feedback.comment')} autosize maxLength={2000} {...form.getInputProps('comment')} />
          <Checkbox label={t('feedback.request')} {...form.getInputProps('request_review', { type: 'checkbox' })} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={create.pending} disabled={!said}>
              {t('feedback.send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
