import { ActionIcon, Box, Group, Textarea, Tooltip } from '@mantine/core';
import { IconSend2, IconTypography } from '@tabler/icons-react';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEdits } from './Composer';
import { Counter } from './Counter';
import type { Format } from './message';
import { Toolbar } from './Toolbar';

interface Props {
  id: string;
  label: string;
  text: string;
  format: Format;
  onChange: (change: { text?: string; format?: Format }) => void;
  onSend: () => void;
  /** There is something that may be sent. */
  ready: boolean;
  /** Nothing may be written now. */
  disabled?: boolean;
  /** Texts may have styles. */
  formats: boolean;
  /** The most of a text, in its unit. */
  most: number;
  unit: 'utf16' | 'bytes' | 'characters';
  /** Buttons beside the emoji. */
  tools?: ReactNode;
  /** What stands above the text: what is quoted, files. */
  children?: ReactNode;
  onPaste?: (e: ClipboardEvent) => void;
  /** Says true for a key that it took. */
  onKey?: (e: KeyboardEvent) => boolean;
}

/** How long a text is for a network: what one calls characters are UTF-16 units. */
export function lengthIn(unit: Props['unit'], text: string): number {
  return unit === 'bytes' ? new TextEncoder().encode(text).length : text.length;
}

const near = 0.8;

/** The composer of an answer to one person: short, at the end of what was said. mod+Enter sends. */
export function ReplyComposer(p: Props) {
  const { t } = useTranslation('kit');
  const { box, edit } = useEdits(p.text, (text) => p.onChange({ text }));
  const length = lengthIn(p.unit, p.text);
  const fits = length <= p.most;
  const styled = p.format !== 'PLAIN';
  const send = () => {
    if (p.ready && fits && !p.disabled) p.onSend();
  };
  const key = (e: KeyboardEvent) => {
    if (p.onKey?.(e)) e.preventDefault();
    else if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !e.nativeEvent.isComposing) {
      e.preventDefault();
      send();
    } else if (e.key === 'Escape') box.current?.blur();
  };
  return (
    <Box>
      {p.children}
      <Textarea
        id={p.id}
        ref={box}
        aria-label={p.label}
        placeholder={p.label}
        autosize
        minRows={1}
        maxRows={8}
        value={p.text}
        disabled={p.disabled}
        onChange={(e) => p.onChange({ text: e.currentTarget.value })}
        onKeyDown={key}
        onPaste={p.onPaste}
      />
      <Group justify="space-between" gap="xs" mt={4} wrap="nowrap" align="flex-start">
        <Group gap={4} style={{ minWidth: 0 }}>
          <Toolbar format={p.format} onEdit={edit}>
            {p.formats && (
              <Tooltip label={t('styles')}>
                <ActionIcon
                  color="gray"
                  c="var(--mantine-color-text)"
                  aria-label={t('styles')}
                  aria-pressed={styled}
                  onClick={() => p.onChange({ format: styled ? 'PLAIN' : 'MARKDOWN' })}
                >
                  <IconTypography size={17} stroke={1.7} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
            {p.tools}
          </Toolbar>
        </Group>
        <Group gap="sm" wrap="nowrap">
          {length > near * p.most && <Counter length={length} most={p.most} />}
          <Tooltip label={t('sendKeys')}>
            <ActionIcon
              size="lg"
              variant="filled"
              disabled={!p.ready || !fits || p.disabled}
              onClick={send}
              aria-label={t('send')}
              data-send
            >
              <IconSend2 size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
    </Box>
  );
}
