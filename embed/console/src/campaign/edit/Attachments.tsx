import { ActionIcon, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { asApiError, sentenceOf, upload, useFiles } from '@shell';
import { IconFile, IconPaperclip, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

const most = 10;

interface Props {
  ids: readonly string[];
  error?: string;
  disabled: boolean;
  onChange: (ids: string[]) => void;
}

/** The files of a message, by their names. */
export function Attachments({ ids, error, disabled, onChange }: Props) {
  const { t } = useTranslation('campaign');
  const { files, missing } = useFiles(ids);
  const nameOf = (id: string, i: number) =>
    files.find((f) => f.id === id)?.file_name ?? t(missing.includes(id) ? 'field.attachmentGone' : 'field.attachment', { n: i + 1 });
  const [sent, setSent] = useState<number>();
  const [wrong, setWrong] = useState<string>();
  const add = async (file: File | null) => {
    if (!file) return;
    setWrong(undefined);
    setSent(0);
    const form = new FormData();
    form.append('file', file);
    try {
      const made = await upload('/attachments', form, { onSent: setSent });
      onChange([...ids, made.id]);
    } catch (thrown) {
      setWrong(sentenceOf(asApiError(thrown)).message);
    } finally {
      setSent(undefined);
    }
  };
  return (
    <Stack gap={6}>
      {ids.map((id, i) => (
        <Group key={id} gap={6} wrap="nowrap">
          <IconFile size={16} aria-hidden />
          <Text size="sm" component="a" href={`/api/v1/attachments/${id}/content`} target="_blank" rel="noreferrer" truncate>
            {nameOf(id, i)}
          </Text>
          {!disabled && (
            <ActionIcon
              size="sm"
              color="gray"
              onClick={() => onChange(ids.filter((x) => x !== id))}
              aria-label={t('field.removeAttachment', { name: nameOf(id, i) })}
            >
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {sent !== undefined && <Progress value={sent * 100} size="sm" aria-label={t('field.uploading')} />}
      {(wrong ?? error) && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {wrong ?? error}
        </Text>
      )}
      {!disabled && ids.length < most && (
        <div>
          <FileButton onChange={(f) => void add(f)}>
            {(props) => (
              <Button
                {...props}
                size="compact-sm"
                variant="subtle"
                loading={sent !== undefined}
                leftSection={<IconPaperclip size={15} aria-hidden />}
              >
                {t('field.addAttachment')}
              </Button>
            )}
          </FileButton>
        </div>
      )}
    </Stack>
  );
}
