import { ActionIcon, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { DropFiles } from '@kit';
import { asApiError, newKey, refresh, sentenceOf, upload, useFormat } from '@shell';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const kinds = '.pdf,.docx,.xlsx,.csv,.txt,.md,.html,.htm';
const maxBytes = 20 * 1024 * 1024;

interface Sending {
  key: string;
  file: File;
  /** From 0 to 1; undefined while it waits its turn. */
  sent?: number;
  problem?: string;
}

/** Files that become sources of knowledge: one after the other they are sent, and stand in the list once the server has them. */
export function UploadFiles({ business }: { business: string }) {
  const { t } = useTranslation('business');
  const f = useFormat();
  const [files, setFiles] = useState<readonly Sending[]>([]);
  const stop = useRef<AbortController>(undefined);
  const set = (key: string, change: Partial<Sending>) => setFiles((all) => all.map((x) => (x.key === key ? { ...x, ...change } : x)));
  const forget = (key: string) => setFiles((all) => all.filter((x) => x.key !== key));
  const send = async ({ key, file }: Sending) => {
    const form = new FormData();
    form.set('business_id', business);
    form.set('file', file, file.name);
    stop.current = new AbortController();
    set(key, { sent: 0 });
    try {
      await upload('/ai/knowledge/sources', form, { signal: stop.current.signal, onSent: (sent) => set(key, { sent }) });
      forget(key);
      void refresh('/ai/knowledge/sources');
    } catch (thrown) {
      if (thrown instanceof DOMException) forget(key);
      else set(key, { sent: undefined, problem: sentenceOf(asApiError(thrown)).message });
    } finally {
      stop.current = undefined;
    }
  };
  const next = files.find((x) => !x.problem);
  useEffect(() => {
    if (next && next.sent === undefined && !stop.current) void send(next);
  }, [next]);
  useEffect(() => () => stop.current?.abort(), []);
  const add = (list: readonly File[]) =>
    setFiles((all) => [
      ...all,
      ...list.map((file) => ({
        key: newKey(),
        file,
        problem: file.size === 0 ? t('file.empty') : file.size > maxBytes ? t('file.tooLarge') : undefined,
      })),
    ]);
  const drop = (x: Sending) => (x.sent === undefined ? forget(x.key) : stop.current?.abort());
  return (
    <Stack gap="xs">
      <DropFiles small multiple accept={kinds} onFiles={add} text={t('file.drop')} choose={t('file.choose')} />
      {files.map((x) => (
        <Paper key={x.key} p="xs" data-sending={x.file.name}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text
              size="sm"
              style={{ overflowWrap: 'anywhere' }}
              c={x.problem ? 'var(--mantine-color-error)' : undefined}
              role={x.problem ? 'alert' : undefined}
            >
              {x.problem
                ? `${x.file.name}: ${x.problem}`
                : x.sent === undefined
                  ? t('file.waiting', { name: x.file.name })
                  : t('file.sending', { name: x.file.name, share: f.percent(Math.floor(x.sent * 100) / 100) })}
            </Text>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={t(x.sent === undefined ? 'file.forget' : 'file.stop', { name: x.file.name })}
              onClick={() => drop(x)}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          </Group>
          {!x.problem && <Progress value={100 * (x.sent ?? 0)} size="sm" mt={4} aria-hidden />}
        </Paper>
      ))}
    </Stack>
  );
}
