import { ActionIcon, Code, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface Props {
  value: string;
  /** A key of "copy." that says what it is. */
  label?: 'request' | 'id' | 'link' | 'key';
  small?: boolean;
}

/** A value with a button that copies it. */
export function Copy({ value, label, small }: Props) {
  const { t } = useTranslation('shell');
  return (
    <Group gap={4} wrap="nowrap" mt={small ? 4 : 0}>
      <Code fz={small ? 'xs' : 'sm'} style={{ overflowWrap: 'anywhere' }}>
        {label ? `${t(`copy.${label}`)}: ${value}` : value}
      </Code>
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            size="sm"
            onClick={copy}
            title={t(copied ? 'copy.done' : 'copy.copy')}
            aria-label={t(copied ? 'copy.done' : 'copy.copy')}
          >
            {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
