import { ActionIcon, Popover, SimpleGrid, Tooltip, UnstyledButton } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Those of the trade; every keyboard has the others. */
const emoji = [
  ...['😊', '👋', '🙏', '👍', '👏', '🤝', '❤️', '🔥'],
  ...['🎉', '🎁', '🌟', '✅', '❗', '❓', '⏰', '📅'],
  ...['🛍️', '🛒', '💳', '💰', '🏷️', '📦', '🚚', '🏪'],
  ...['📞', '💬', '📍', '🔗', '📎', '📣', '☕', '🍽️'],
  ...['🍰', '🍎', '🌷', '☀️', '❄️', '🏠', '🚗', '✈️'],
];

/** Emoji that are written where the cursor is. */
export function Emoji({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation('kit');
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Tooltip label={t('emoji')}>
          <ActionIcon
            color="gray"
            c="var(--mantine-color-text)"
            onClick={() => setOpen(!open)}
            aria-label={t('emoji')}
            aria-expanded={open}
            aria-haspopup="dialog"
          >
            <IconMoodSmile size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={t('emoji')}>
        <SimpleGrid cols={8} spacing={2} verticalSpacing={2}>
          {emoji.map((e) => (
            <UnstyledButton
              key={e}
              w={34}
              h={34}
              fz={20}
              ta="center"
              onClick={() => {
                setOpen(false);
                onPick(e);
              }}
            >
              {e}
            </UnstyledButton>
          ))}
        </SimpleGrid>
      </Popover.Dropdown>
    </Popover>
  );
}
