import { Alert, Button, List, Paper, Stack, Text, Title } from '@mantine/core';
import { Copy, Failed, Page, Status, useAction, useCan, useGet } from '@shell';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Provider } from './types';

const steps = ['app', 'callback', 'webhook', 'fields', 'deletion', 'live'] as const;

/** What to enter at the networks, and whether what they would send arrives here. */
export default function Setup() {
  const { t } = useTranslation('channel');
  const can = useCan();
  const { data, error, refetch } = useGet('/channels/providers', {});
  const [tested, setTested] = useState<{ ok: boolean }>();
  const test = useAction('post', '/channels/webhook-test', { then: setTested });
  const above = [{ label: t('title'), to: '/channels' as const }];
  if (error && !data)
    return (
      <Page title={t('setup.title')} above={above}>
        <Failed error={error} onAgain={() => void refetch()} />
      </Page>
    );
  return (
    <Page
      title={t('setup.title')}
      lead={t('setup.lead')}
      above={above}
      actions={
        can('accounts:manage') && (
          <Button
            variant="default"
            loading={test.pending}
            leftSection={<IconPlugConnected size={17} aria-hidden />}
            onClick={() => void test.run({})}
          >
            {t('setup.test')}
          </Button>
        )
      }
    >
      <Stack maw={860}>
        {tested && (
          <Alert color={tested.ok ? 'green' : 'red'} role="status">
            {t(tested.ok ? 'setup.tested' : 'setup.failed')}
          </Alert>
        )}
        {data?.data
          .filter((p) => p.kind === 'MESSAGING')
          .map((p) => (
            <Network key={p.platform} provider={p} />
          ))}
        <Paper>
          <Title order={2} mb="sm">
            {t('setup.steps')}
          </Title>
          <List type="ordered" spacing="xs">
            {steps.map((step) => (
              <List.Item key={step}>{t(`setup.step.${step}`)}</List.Item>
            ))}
          </List>
        </Paper>
      </Stack>
    </Page>
  );
}

function Network({ provider: p }: { provider: Provider }) {
  const { t } = useTranslation('channel');
  const rows = [
    ['callback', p.callback_url],
    ['webhook', p.webhook_url],
    ['verify', p.verify_token],
    ['deauthorize', p.deauthorize_url],
    ['deletion', p.data_deletion_url],
  ] as const;
  return (
    <Paper component="section" aria-label={t(`network.${p.platform}`)}>
      <Title order={2} mb="xs">
        {t(`network.${p.platform}`)}
      </Title>
      <Status state={p.configured ? 'ACTIVE' : 'DISABLED'} label={t(p.configured ? 'setup.ready' : 'setup.notReady')} />
      {p.simulated && <Alert my="sm">{t('setup.simulated')}</Alert>}
      {p.missing_settings.length > 0 && (
        <Alert color="yellow" my="sm">
          {t('setup.missing', { settings: p.missing_settings.join(', ') })}
        </Alert>
      )}
      {p.configured && p.app_review === 'PENDING' && (
        <Alert color="yellow" my="sm">
          {t('setup.review')}
        </Alert>
      )}
      <Stack gap="xs" mt="sm">
        {rows.map(
          ([key, value]) =>
            value && (
              <div key={key}>
                <Text size="sm" c="dimmed">
                  {t(`setup.${key}`)}
                </Text>
                <Copy value={value} />
              </div>
            ),
        )}
      </Stack>
    </Paper>
  );
}
