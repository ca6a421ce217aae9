import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { Dialog } from '@shell';
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './files.module.css';
import { type File, fileAddress } from './types';

interface Props {
  title: string;
  files: readonly File[];
  /** Which of them is shown first. */
  at: number;
  conversation: string;
  onClose: () => void;
}

/** Pictures as large as the window; the arrow keys turn the pages of an album. */
export default function Viewer({ title, files, at: first, conversation, onClose }: Props) {
  const { t } = useTranslation('inbox');
  const [at, setAt] = useState(first);
  const go = (step: number) => setAt((n) => Math.min(files.length - 1, Math.max(0, n + step)));
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.key === 'ArrowLeft') setAt((n) => Math.max(0, n - 1));
      if (e.key === 'ArrowRight') setAt((n) => Math.min(files.length - 1, n + 1));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [files.length]);
  const f = files[at];
  if (!f) return null;
  const src = fileAddress(conversation, f.id);
  const name = f.file_name ?? t(`file.${f.kind}`);
  return (
    <Dialog title={title} onClose={onClose} size="auto" padding="sm">
      <img src={src} alt={name} className={classes.large} />
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed" truncate maw={260}>
          {files.length > 1 ? `${at + 1} / ${files.length} · ${name}` : name}
        </Text>
        <Group gap="xs">
          {files.length > 1 && (
            <>
              <ActionIcon variant="default" size="lg" onClick={() => go(-1)} disabled={at === 0} aria-label={t('previousPicture')}>
                <IconChevronLeft size={18} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="default"
                size="lg"
                onClick={() => go(1)}
                disabled={at === files.length - 1}
                aria-label={t('nextPicture')}
              >
                <IconChevronRight size={18} aria-hidden />
              </ActionIcon>
            </>
          )}
          <Button component="a" href={src} download={name} variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
            {t('save')}
          </Button>
        </Group>
      </Group>
    </Dialog>
  );
}
