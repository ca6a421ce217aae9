import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useAction, useCan, useFormat, useGet, When } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Action } from './types';

/** What waits for a person of the team. */
export function Pending({ connected }: { connected: boolean }) {
  const { t } = useTranslation('calendar');
  const { data } = useGet('/ai/calendar/actions', { query: { status: 'PENDING', limit: 50 } });
  if (!data || data.data.length === 0) return null;
  return (
    <Paper component="section" aria-label={t('pending.title')}>
      <Title order={2} mb="sm">
        {t('pending.title')}
      </Title>
      <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        {data.data.map((a) => (
          <li key={a.id}>
            <Row action={a} connected={connected} />
          </li>
        ))}
      </Stack>
    </Paper>
  );
}

function Row({ action: a, connected }: { action: Action; connected: boolean }) {
  const { t } = useTranslation('calendar');
  const f = useFormat();
  const can = useCan();
  const stale = ['/ai/calendar', '/ai/calendar/actions'] as const;
  const confirm = useAction('post', '/ai/calendar/actions/{id}/confirm', { stale, done: t('pending.confirmed') });
  const reject = useAction('post', '/ai/calendar/actions/{id}/reject', { stale, done: t('pending.rejected') });
  const x = a.extracted;
  const what = `${t(`type.${a.type}`)}: ${f.time(x.start)} – ${f.clock(x.end)}`;
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Text fw={600}>{what}</Text>
        <Text size="sm">{[x.title, x.attendee_name, x.note].filter(Boolean).join(' · ')}</Text>
        <Text size="sm" c="dimmed" component="div">
          <Link to={`/inbox/${a.conversation_id}`}>{a.conversation?.name ?? t('conversation')}</Link>
          {' · '}
          {a.confirmed_by === 'CUSTOMER' ? t('pending.agreed') : t('pending.proposed')}
          {' · '}
          {t('pending.until')} <When at={a.expires_at} />
        </Text>
      </div>
      {can('ai:operate') && (
        <Group gap="xs">
          <Button
            size="xs"
            disabled={!connected}
            loading={confirm.pending}
            aria-label={`${t('pending.confirm')}: ${what}`}
            onClick={() => void confirm.run({ path: { id: a.id } })}
          >
            {t('pending.confirm')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={reject.pending}
            aria-label={`${t('pending.reject')}: ${what}`}
            onClick={() => void reject.run({ path: { id: a.id } })}
          >
            {t('pending.reject')}
          </Button>
        </Group>
      )}
    </Group>
  );
}
