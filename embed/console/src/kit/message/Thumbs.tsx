import { Group, Image, Paper, Text } from '@mantine/core';
import { IconFile, IconMicrophone, IconMovie, IconMusic, IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import type { Attachment } from './message';

const icons = { PHOTO: IconPhoto, VIDEO: IconMovie, ANIMATION: IconMovie, AUDIO: IconMusic, VOICE: IconMicrophone, DOCUMENT: IconFile };

/** The picture of a file, or the sign of its kind. */
export function Thumb({ file: f, size }: { file: Attachment; size: number }) {
  const [none, setNone] = useState(f.kind === 'AUDIO' || f.kind === 'VOICE' || f.kind === 'DOCUMENT' || f.kind === 'VIDEO');
  const Icon = icons[f.kind];
  if (none)
    return (
      <Paper w={size} h={size} p={0} display="flex" style={{ alignItems: 'center', justifyContent: 'center', flex: 'none' }}>
        <Icon size={size / 2.2} stroke={1.4} aria-hidden />
      </Paper>
    );
  return (
    <Image
      src={`/api/v1/attachments/${f.id}/content?thumb=true`}
      alt={f.file_name}
      w={size}
      h={size}
      radius="sm"
      fit="cover"
      onError={() => setNone(true)}
      style={{ flex: 'none' }}
    />
  );
}

/** The files of a message, above its text. */
export function Thumbs({ files }: { files: readonly Attachment[] }) {
  if (files.length === 0) return null;
  return (
    <Group gap={6} mb="xs">
      {files.map((f) => (
        <div key={f.id}>
          <Thumb file={f} size={files.length === 1 ? 180 : 84} />
          {f.kind === 'DOCUMENT' && (
            <Text size="xs" maw={180} truncate>
              {f.file_name}
            </Text>
          )}
        </div>
      ))}
    </Group>
  );
}
