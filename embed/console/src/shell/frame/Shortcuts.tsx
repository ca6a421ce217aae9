import { Group, Kbd, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTyping } from '../list/typing';
import { Dialog } from '../page/Dialog';

const mac = navigator.userAgent.includes('Mac');
const keys = [
  ['palette', [mac ? '⌘' : 'Ctrl', 'K']],
  ['search', ['/']],
  ['walk', ['j', 'k']],
  ['open', ['Enter']],
  ['select', ['x']],
  ['close', ['Esc']],
  ['help', ['?']],
] as const;

/** What keys do, shown by "?" where it is not typed into a field. */
export function Shortcuts() {
  const { t } = useTranslation('shell');
  const [open, setOpen] = useState(false);
  useWindowEvent('keydown', (e) => {
    if (e.key !== '?' || e.ctrlKey || e.metaKey || e.altKey || isTyping(e.target) || document.querySelector('[aria-modal="true"]')) return;
    e.preventDefault();
    setOpen(true);
  });
  if (!open) return null;
  return (
    <Dialog title={t('keys.title')} onClose={() => setOpen(false)}>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {keys.map(([name, pressed]) => (
          <Group key={name} component="li" justify="space-between" wrap="nowrap">
            <Text size="sm">{t(`keys.${name}`)}</Text>
            <Group gap={4} wrap="nowrap">
              {pressed.map((k) => (
                <Kbd key={k}>{k}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}
