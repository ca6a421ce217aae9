import { ActionIcon, Button, FileButton, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useFiles, useFormat } from '@shell';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Attachment, maxFiles } from './message';
import { Thumb } from './Thumbs';
import { useUploads } from './uploads';

interface Props {
  ids: readonly string[];
  onChange: (ids: string[]) => void;
  readOnly?: boolean;
  error?: ReactNode;
}

/** The files of a message: dropped or chosen, with their progress, and taken out again. */
export function Files({ ids, onChange, readOnly, error }: Props) {
  const { t } = useTranslation('kit');
  const [over, setOver] = useState(false);
  const { files, missing } = useFiles(ids);
  const { uploads, add, drop } = useUploads(ids, onChange);
  const full = ids.length + uploads.filter((u) => !u.problem).length >= maxFiles;
  return (
    <Paper
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      bg={over ? 'var(--mantine-primary-color-light)' : undefined}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        if (!readOnly) add([...e.dataTransfer.files]);
      }}
    >
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('attachments')}
        </Title>
        {!readOnly && (
          <FileButton multiple onChange={add}>
            {(props) => (
              <Button {...props} size="compact-sm" variant="default" disabled={full} leftSection={<IconPaperclip size={15} aria-hidden />}>
                {t('attach')}
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <Stack gap="xs">
        {files.map((f) => (
          <Row key={f.id} file={f} onRemove={readOnly ? undefined : () => onChange(ids.filter((id) => id !== f.id))} />
        ))}
        {missing.map((id) => (
          <Group key={id} justify="space-between">
            <Text size="sm" c="var(--mantine-color-error)">
              {t('fileGone')}
            </Text>
            <Remove name={t('fileGone')} onRemove={() => onChange(ids.filter((x) => x !== id))} />
          </Group>
        ))}
        {uploads.map((u) => (
          <Group key={u.key} gap="sm" wrap="nowrap">
            <Stack gap={2} flex={1} miw={0}>
              <Text size="sm" truncate>
                {u.name}
              </Text>
              {u.problem ? (
                <Text size="sm" c="var(--mantine-color-error)" role="alert">
                  {u.problem}
                </Text>
              ) : (
                <Progress value={100 * u.sent} animated aria-label={t('uploading', { name: u.name })} />
              )}
            </Stack>
            <Remove name={u.name} onRemove={() => drop(u.key)} />
          </Group>
        ))}
        {error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t('attachHint')}
        </Text>
      </Stack>
    </Paper>
  );
}

function Row({ file: f, onRemove }: { file: Attachment; onRemove?: () => void }) {
  const { t } = useTranslation('kit');
  const format = useFormat();
  const size =
    f.size_bytes >= 1 << 20
      ? t('megabytes', { size: format.number(Math.round(f.size_bytes / 104857.6) / 10) })
      : t('kilobytes', { size: format.number(Math.max(1, Math.round(f.size_bytes / 1024))) });
  const facts = [t(`kinds.${f.kind}`), size, f.width && f.height && `${f.width} × ${f.height}`].filter(Boolean);
  return (
    <Group gap="sm" wrap="nowrap">
      <Thumb file={f} size={44} />
      <Stack gap={0} flex={1} miw={0}>
        <Text size="sm" truncate>
          <a href={`/api/v1/attachments/${f.id}/content`} download={f.file_name} style={{ color: 'inherit' }}>
            {f.file_name}
          </a>
        </Text>
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
          {f.used_by_count > 1 && ` · ${t('usedElsewhere', { count: f.used_by_count })}`}
        </Text>
      </Stack>
      {onRemove && <Remove name={f.file_name} onRemove={onRemove} />}
    </Group>
  );
}

function Remove({ name, onRemove }: { name: string; onRemove: () => void }) {
  const { t } = useTranslation('kit');
  return (
    <ActionIcon color="gray" onClick={onRemove} aria-label={t('takeOut', { name })}>
      <IconX size={16} aria-hidden />
    </ActionIcon>
  );
}
