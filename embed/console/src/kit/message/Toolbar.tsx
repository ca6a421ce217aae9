import { ActionIcon, Group, Tooltip } from '@mantine/core';
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconEyeOff,
  IconItalic,
  IconLink,
  IconStrikethrough,
  IconUnderline,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Emoji } from './Emoji';
import { type Edit, insert, mark, styles } from './marks';
import type { Format } from './message';

const icons = {
  bold: IconBold,
  italic: IconItalic,
  underline: IconUnderline,
  strikethrough: IconStrikethrough,
  spoiler: IconEyeOff,
  code: IconCode,
  link: IconLink,
  quote: IconBlockquote,
};

interface Props {
  format: Format;
  onEdit: (make: (text: string, from: number, to: number) => Edit) => void;
  /** Variables, where the message has some. */
  children?: ReactNode;
}

/** The buttons above the text: what the markup of the format knows, emoji, and variables. */
export function Toolbar({ format, onEdit, children }: Props) {
  const { t } = useTranslation('kit');
  return (
    <Group gap={4} mb="xs" role="toolbar" aria-label={t('toolbar')}>
      {format !== 'PLAIN' &&
        styles.map((s) => {
          const Icon = icons[s];
          return (
            <Tooltip key={s} label={t(`style.${s}`)}>
              <ActionIcon
                color="gray"
                c="var(--mantine-color-text)"
                onClick={() => onEdit((text, from, to) => mark(text, from, to, s, format))}
                aria-label={t(`style.${s}`)}
              >
                <Icon size={17} stroke={1.7} aria-hidden />
              </ActionIcon>
            </Tooltip>
          );
        })}
      <Emoji onPick={(e) => onEdit((text, from, to) => insert(text, from, to, e))} />
      {children}
    </Group>
  );
}
