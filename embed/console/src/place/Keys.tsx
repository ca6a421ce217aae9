import { Alert, Anchor, Button, Group, Paper, Progress, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { RequestsChart } from '@kit';
import { Failed, Link, Num, Page, useFormat, useMe, useNavigate, When } from '@shell';
import { useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useMap } from './api';
import { setMapKey, useMapKey } from './key';
import { KeyForm, wantsKey } from './Setup';
import type { Usage } from './types';

const windows = ['month', '7', '30', '90'] as const;

/** Keys of the map: how one is made, what it may, and what it used. */
export default function Keys() {
  const { t } = useTranslation('place');
  const key = useMapKey();
  return (
    <Page
      title={t('keys.title')}
      lead={t('keys.lead')}
      actions={
        key !== '' && (
          <Button variant="default" onClick={() => setMapKey('')}>
            {t('keys.forget')}
          </Button>
        )
      }
    >
      {key === '' ? <KeyForm /> : <Report />}
      <Making />
    </Page>
  );
}

function Report() {
  const { t } = useTranslation('place');
  const search = useRouterState({ select: (s) => s.location.search as Record<string, string> });
  const navigate = useNavigate();
  const days = windows.find((w) => w === search.days) ?? 'month';
  const { data, error, refetch } = useMap('/api/usage', { days: days === 'month' ? undefined : days, series: 1 }, { keep: true });
  if (error && wantsKey(error)) return <KeyForm problem={error} />;
  if (error?.status === 503) return <Alert color="yellow">{t(error.message.includes('metering') ? 'keys.noMeter' : 'keys.noKeys')}</Alert>;
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={320} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{data.name || t('keys.unnamed')}</Title>
        <SegmentedControl
          size="xs"
          data={windows.map((value) => ({ value, label: t(`keys.window.${value}`) }))}
          value={days}
          onChange={(v) => void navigate({ to: '.', search: (v === 'month' ? {} : { days: v }) as never, replace: true })}
          aria-label={t('keys.span')}
        />
      </Group>
      <Figures of={data} />
      {data.requests > 0 ? (
        <Paper>
          <Suspense fallback={<Skeleton h={300} />}>
            <RequestsChart use={{ ...data, parts: (data.series ?? []).map((s) => ({ ...s, at: s.hour })) }} />
          </Suspense>
        </Paper>
      ) : (
        <Text c="dimmed">{t('keys.quiet')}</Text>
      )}
    </Stack>
  );
}

const nearly = 80;

function Figures({ of: u }: { of: Usage }) {
  const { t } = useTranslation('place');
  const f = useFormat();
  const share = u.quota && u.quota.limit > 0 ? Math.min(100, (u.quota.used / u.quota.limit) * 100) : 0;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <Paper p="sm">
        <Text size="xl" fw={650} lh={1.2}>
          <Num value={u.requests} />
        </Text>
        <Text size="sm" c="dimmed">
          {t('keys.requests')}
        </Text>
      </Paper>
      <Paper p="sm">
        <Text size="xl" fw={650} lh={1.2}>
          <Num value={u.denied} />
        </Text>
        <Text size="sm" c="dimmed">
          {t('keys.denied')}
        </Text>
      </Paper>
      <Paper p="sm">
        {u.quota ? (
          <>
            <Text size="sm" fw={600}>
              {t('keys.quota', { used: f.number(u.quota.used), limit: f.number(u.quota.limit) })}
            </Text>
            <Progress
              value={share}
              color={share >= 100 ? 'red' : share >= nearly ? 'yellow' : undefined}
              my={6}
              aria-label={t('keys.quotaName')}
            />
            <Text size="xs" c="dimmed">
              {t('keys.resets')} <When at={u.quota.resets} />
            </Text>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {t('keys.noQuota')}
          </Text>
        )}
      </Paper>
    </SimpleGrid>
  );
}

/** Who makes keys: whoever administers the platform, on a page of their own. */
function Making() {
  const { t } = useTranslation('place');
  const admin = useMe().user?.is_platform_admin;
  return (
    <Paper mt="lg" maw={760} component="section">
      <Stack gap="xs">
        <Title order={2}>{t('keys.making')}</Title>
        <Text size="sm">{t(admin ? 'keys.makingAdmin' : 'keys.makingAsk')}</Text>
        {admin && (
          <Anchor component={Link} to={'/admin/map-keys' as never} size="sm">
            {t('keys.toKeys')}
          </Anchor>
        )}
      </Stack>
    </Paper>
  );
}
