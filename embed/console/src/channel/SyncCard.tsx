import { Alert, Button, Group, Paper, Progress, Text, Title } from '@mantine/core';
import { Status, useAction, useCan, useFormat, useGet, When } from '@shell';
import { useTranslation } from 'react-i18next';

/** How the content of an account is read, and the key that reads it now. */
export default function SyncCard({ id, reads }: { id: string; reads: boolean }) {
  const { t } = useTranslation('channel');
  const f = useFormat();
  const can = useCan();
  const { data: s } = useGet('/ai/social/accounts/{id}/sync', { path: { id } }, { while: (x) => x.status === 'RUNNING' });
  const sync = useAction('post', '/ai/social/accounts/{id}/sync', { stale: ['/ai/social/accounts'] });
  if (!s) return null;
  return (
    <Paper component="section" aria-label={t('sync.title')} data-sync={s.status}>
      <Group justify="space-between" mb="sm">
        <Group gap="xs">
          <Title order={2}>{t('sync.title')}</Title>
          {s.status !== 'IDLE' && <Status state={s.status} label={t(`sync.state.${s.status}`)} />}
        </Group>
        {can('ai:manage') && reads && (
          <Button
            variant="default"
            size="xs"
            loading={sync.pending || s.status === 'RUNNING'}
            onClick={() => void sync.run({ path: { id } })}
          >
            {t('sync.now')}
          </Button>
        )}
      </Group>
      {s.error_code && (
        <Alert color="yellow" mb="sm">
          {t(`sync.error.${s.error_code}` as 'sync.error.network_failed')}
        </Alert>
      )}
      <Text size="sm">
        {t('sync.counts', {
          posts: f.number(s.counts.posts),
          comments: f.number(s.counts.comments),
          analyzed: f.number(s.counts.analyzed),
        })}
      </Text>
      {s.last_synced_at && (
        <Text size="sm" c="dimmed">
          {t('sync.last')} <When at={s.last_synced_at} />
        </Text>
      )}
      {s.quota && (
        <>
          <Text size="sm" mt="sm">
            {t('sync.quota', { used: f.number(s.quota.used), limit: f.number(s.quota.limit) })}
          </Text>
          <Progress value={(100 * s.quota.used) / s.quota.limit} aria-label={t('sync.quotaTitle')} mt={4} />
        </>
      )}
    </Paper>
  );
}
