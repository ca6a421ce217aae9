import { Group, Progress, Text } from '@mantine/core';
import { useFormat } from '@shell';
import { useTranslation } from 'react-i18next';

/** How long a message is, as messengers count: UTF-16 units, with the variables of the person who is shown. */
export function Counter({ length, most }: { length: number; most: number }) {
  const { t } = useTranslation('kit');
  const f = useFormat();
  const share = length / most;
  const words = t('length', { length: f.number(length), most: f.number(most) });
  return (
    <Group gap="xs" title={t('lengthHint')} wrap="nowrap" data-counter>
      <Progress
        value={Math.min(100, 100 * share)}
        w={60}
        color={share > 1 ? 'red' : share > 0.9 ? 'orange' : undefined}
        aria-label={words}
      />
      <Text size="sm" c={share > 1 ? 'var(--mantine-color-error)' : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
        {words}
      </Text>
    </Group>
  );
}
