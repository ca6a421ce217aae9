import { Badge, Button, Group, Paper, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { call, Confirm, Failed, refresh, type Schema, showDone, showProblem, useGet, useMe, useSupport, When } from '@shell';
import { asApiError } from '@shell/api/error';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceOf, isPhone } from './device';

type Session = Schema<'SessionShownSession'>;
const most = 500;

/** Where the person is signed in. */
export function Sessions() {
  const { t } = useTranslation('session');
  const support = useSupport();
  const { data, error, refetch } = useGet('/me/sessions', { query: { limit: most } });
  const [ending, setEnding] = useState<Session[]>();
  const others = data?.data.filter((s) => !s.current) ?? [];
  return (
    <Paper component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('sessions.title')}</Title>
        {!support && others.length > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => setEnding(others)}>
            {t('sessions.endOthers')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {t('sessions.lead')}
      </Text>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={120} />}
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {data?.data.map((s) => (
          <One key={s.id} session={s} onEnd={support ? undefined : () => setEnding([s])} />
        ))}
      </Stack>
      {ending && <End sessions={ending} onClose={() => setEnding(undefined)} />}
    </Paper>
  );
}

function One({ session: s, onEnd }: { session: Session; onEnd?: () => void }) {
  const { t } = useTranslation('session');
  const { organizations } = useMe();
  const Device = isPhone(s.user_agent) ? IconDeviceMobile : IconDeviceDesktop;
  const name = deviceOf(s.user_agent) ?? t('sessions.unknown');
  const org = organizations.find((o) => o.organization.id === s.organization_id)?.organization.name;
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon variant="light" color="gray" size="lg">
        <Device size={20} aria-hidden />
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {s.current && (
            <Badge color="green" c="var(--mantine-color-text)">
              {t('sessions.this')}
            </Badge>
          )}
        </Group>
        <Text size="sm">
          {t('sessions.used')} <When at={s.last_used_at} />
          {(s.last_used_ip ?? s.ip) && <> · {s.last_used_ip ?? s.ip}</>}
          {org && <> · {org}</>}
        </Text>
        <Text size="xs" c="dimmed">
          {t('sessions.opened')} <When at={s.created_at} exact />
          {s.ip && s.ip !== s.last_used_ip && <> · {s.ip}</>} · {t('sessions.ends')} <When at={s.expires_at} />
        </Text>
      </div>
      {onEnd && !s.current && (
        <Button variant="default" size="compact-sm" onClick={onEnd} aria-label={t('sessions.endNamed', { name })}>
          {t('sessions.end')}
        </Button>
      )}
    </Group>
  );
}

function End({ sessions, onClose }: { sessions: Session[]; onClose: () => void }) {
  const { t } = useTranslation('session');
  const [pending, setPending] = useState(false);
  const end = async () => {
    setPending(true);
    try {
      for (const s of sessions) await call('delete', '/me/sessions/{id}', { path: { id: s.id } });
      showDone(t('sessions.done', { count: sessions.length }));
    } catch (e) {
      showProblem(asApiError(e));
    }
    await refresh('/me/sessions');
    onClose();
  };
  return (
    <Confirm
      title={t('sessions.question', { count: sessions.length })}
      consequence={t('sessions.consequence', { count: sessions.length })}
      act={t('sessions.end')}
      pending={pending}
      onConfirm={() => void end()}
      onClose={onClose}
    />
  );
}
