import { Code, Group, Stack, Text } from '@mantine/core';
import { Copy, Dialog, When } from '@shell';
import { useTypeWord } from '@kit';
import type { Envelope } from './kinds';
import { LinkedJson } from './LinkedJson';

/** One event: what it says in words, and as programs get it. */
export function Detail({ event: e, onClose }: { event: Envelope; onClose: () => void }) {
  const word = useTypeWord();
  return (
    <Dialog onClose={onClose} title={word(e.type)} size="lg">
      <Stack gap="sm">
        <Text size="sm">
          <Code>{e.type}</Code>
        </Text>
        <Group justify="space-between">
          <Copy value={e.id} label="id" small />
          <Text size="sm" c="dimmed">
            <When at={e.timestamp} exact />
          </Text>
        </Group>
        <LinkedJson value={e} />
      </Stack>
    </Dialog>
  );
}
