import { Button, FileButton, Paper, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';

interface Props {
  /** What a picker offers, as in <input accept>. */
  accept: string;
  /** Several at once; else the first of them. */
  multiple?: boolean;
  onFiles: (files: File[]) => void;
  text: string;
  choose: string;
  hint?: string;
  /** Among other things on a page: smaller. */
  small?: boolean;
}

/** A place to drop files on, with a button for who has no mouse. */
export function DropFiles({ accept, multiple, onFiles, text, choose, hint, small }: Props) {
  const [over, setOver] = useState(false);
  const take = (files: readonly File[]) => {
    if (files.length > 0) onFiles(multiple ? [...files] : files.slice(0, 1));
  };
  const drop = (e: DragEvent) => {
    e.preventDefault();
    setOver(false);
    take([...e.dataTransfer.files]);
  };
  return (
    <Paper
      p={small ? 'md' : 'xl'}
      ta="center"
      style={{ borderStyle: 'dashed', borderWidth: 2 }}
      bg={over ? 'var(--mantine-primary-color-light)' : undefined}
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      data-drop
    >
      <Stack align="center" gap="xs">
        {!small && <IconFileUpload size={36} stroke={1.4} aria-hidden />}
        <Text size={small ? 'sm' : undefined}>{text}</Text>
        <FileButton accept={accept} multiple={multiple} onChange={(x: File | File[] | null) => take([x ?? []].flat())}>
          {(props) => (
            <Button {...props} variant={small ? 'default' : 'filled'} size={small ? 'xs' : 'sm'}>
              {choose}
            </Button>
          )}
        </FileButton>
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
