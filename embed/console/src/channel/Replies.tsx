import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { Empty, Status, useAction, useCan, useGet, When } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The newest private replies of an account; those that the seller drafted wait for a person. */
export function Replies({ id }: { id: string }) {
  const { t } = useTranslation('channel');
  const { data } = useGet('/channels/accounts/{id}/private-replies', { path: { id }, query: { limit: 20 } });
  if (!data) return null;
  if (data.data.length === 0) return <Empty title={t('replies.empty')} text={t('replies.emptyText')} />;
  return (
    <Stack gap="xs">
      {data.data.map((r) => (
        <Paper key={r.id} withBorder p="sm">
          <Group justify="space-between">
            <Text size="sm">{r.automation?.name ?? '–'}</Text>
            <Status state={r.status} label={t(`replyStatus.${r.status}`)} />
          </Group>
          <Text size="sm" c="dimmed">
            <When at={r.created_at} />
            {r.error_code && ` · ${t([`code.${r.error_code}`, 'code.other'], { code: r.error_code })}`}
          </Text>
          {r.draft_text && <Draft id={r.id} text={r.draft_text} />}
        </Paper>
      ))}
    </Stack>
  );
}

function Draft({ id, text }: { id: string; text: string }) {
  const { t } = useTranslation('channel');
  const can = useCan();
  const [now, setNow] = useState(text);
  const send = useAction('post', '/channels/private-replies/{id}/approve', { stale: ['/channels/accounts'], done: t('replies.approved') });
  return (
    <Stack gap="xs" mt="xs">
      <Textarea
        label={t('replies.draft')}
        autosize
        value={now}
        onChange={(e) => setNow(e.currentTarget.value)}
        readOnly={!can('ai:operate')}
      />
      {can('ai:operate') && (
        <Button size="xs" loading={send.pending} onClick={() => void send.run({ path: { id }, body: { text: now } })}>
          {t('replies.approve')}
        </Button>
      )}
    </Stack>
  );
}
