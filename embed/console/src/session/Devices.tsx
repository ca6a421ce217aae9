import { Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { asApiError, call, currentLanguage, refresh, type Schema, showDone, showProblem, useCan, useGet, useSupport } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceOf } from './device';
import { canPush, NotSubscribed, subscribe, type Topic, unsubscribe } from './device-push';

type Device = Schema<'PushShown'>;
const topics = ['MESSAGES', 'HANDOFFS', 'MENTIONS', 'WAITING'] as const;

/** On which devices the service shows what the inbox wants of this person, and what of it. */
export function Devices() {
  const { t } = useTranslation('session');
  const can = useCan();
  const support = useSupport();
  const may = can('ai:operate') && !support;
  const { data } = useGet('/me/push-subscriptions', {}, { enabled: may });
  if (!may || !data) return null;
  const here = data.data.find((d) => d.current);
  const others = data.data.filter((d) => !d.current);
  return (
    <Paper component="section">
      <Title order={2} mb="xs">
        {t('push.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('push.lead')}
      </Text>
      <Here key={here?.id} device={here} publicKey={data.public_key} />
      {others.length > 0 && (
        <>
          <Title order={3} size="h6" mt="md" mb={4}>
            {t('push.others')}
          </Title>
          <Stack gap={4}>
            {others.map((d) => (
              <Group key={d.id} justify="space-between">
                <Text size="sm">{d.device ?? t('push.unnamed')}</Text>
                <Remove device={d} />
              </Group>
            ))}
          </Stack>
        </>
      )}
    </Paper>
  );
}

const forget = (id: string) => call('delete', '/me/push-subscriptions', { query: { id } });

function Here({ device: d, publicKey }: { device: Device | undefined; publicKey: string }) {
  const { t } = useTranslation('session');
  const [chosen, setChosen] = useState<string[]>(d?.topics ?? ['MESSAGES', 'HANDOFFS', 'MENTIONS']);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<'refused' | 'failed'>();
  if (!canPush()) return <Text size="sm">{t('push.cannot')}</Text>;
  const run = async (what: () => Promise<unknown>): Promise<void> => {
    setPending(true);
    setProblem(undefined);
    try {
      await what();
      showDone(t('push.saved'));
      await refresh('/me/push-subscriptions');
    } catch (thrown) {
      if (thrown instanceof NotSubscribed) setProblem(thrown.reason);
      else showProblem(asApiError(thrown));
    } finally {
      setPending(false);
    }
  };
  const on = () => run(() => subscribe(publicKey, chosen as Topic[], currentLanguage(), deviceOf(navigator.userAgent) ?? ''));
  const off = (id: string) =>
    run(async () => {
      await unsubscribe();
      await forget(id);
    });
  return (
    <Stack gap="sm">
      <Checkbox.Group value={chosen} onChange={setChosen}>
        <Stack gap={6}>
          {topics.map((x) => (
            <Checkbox key={x} value={x} label={t(`push.topic.${x}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t(`push.${problem}`)}
        </Text>
      )}
      <Group gap="xs">
        <Button size="compact-sm" loading={pending} disabled={chosen.length === 0} onClick={() => void on()}>
          {t(d ? 'save' : 'push.on')}
        </Button>
        {d && (
          <Button size="compact-sm" variant="default" loading={pending} onClick={() => void off(d.id)}>
            {t('push.off')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Remove({ device: d }: { device: Device }) {
  const { t } = useTranslation('session');
  const name = d.device ?? t('push.unnamed');
  const remove = async (): Promise<void> => {
    try {
      await forget(d.id);
      await refresh('/me/push-subscriptions');
    } catch (thrown) {
      showProblem(asApiError(thrown));
    }
  };
  return (
    <Button size="compact-xs" variant="subtle" onClick={() => void remove()} aria-label={t('push.remove', { name })}>
      {t('push.off')}
    </Button>
  );
}
