import { Accordion, Alert, Button, Code, Group, Paper, Skeleton, Table, Text, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Copy, Empty, Failed, refresh, Status, useAction, useCan, useEvents, useFormat, useGet, When } from '@shell';
import { eventTypes } from '@shell/events/types';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Attempt, canRetry, type Delivery, type Webhook } from './health';

const listed = 100;
/** What became of a delivery is no event: it is known a moment after the event itself. */
const moment = 1200;

/** No timer of a browser waits for longer than days; an hour is enough of a page that lies open. */
const longest = 3_600_000;

/** When the next attempt is due: what becomes of it is known behind that. */
function nextLook(list: readonly Delivery[]): number | undefined {
  const due = list.flatMap((d) => (d.next_attempt_at ? [Date.parse(d.next_attempt_at)] : []));
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** The latest deliveries, each with its attempts. */
export function Deliveries({ webhook: w }: { webhook: Webhook }) {
  const { t } = useTranslation('hook');
  const { data, error, refetch } = useGet('/webhooks/{id}/deliveries', { path: { id: w.id }, query: { limit: listed } });
  const later = useDebouncedCallback(() => void refresh('/webhooks'), moment);
  useEvents(eventTypes, later);
  const next = nextLook(data?.data ?? []);
  useEffect(() => {
    if (next === undefined) return undefined;
    const timer = setTimeout(() => void refresh('/webhooks'), Math.min(Math.max(next - Date.now(), 0) + moment, longest));
    return () => clearTimeout(timer);
  }, [next]);
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2}>{t('deliveries.title')}</Title>
          <Text size="sm" c="dimmed">
            {t('deliveries.lead', { count: listed })}
          </Text>
        </div>
        <Button variant="default" size="compact-sm" leftSection={<IconRefresh size={15} aria-hidden />} onClick={() => void refetch()}>
          {t('deliveries.renew')}
        </Button>
      </Group>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={160} />}
      {data && data.data.length === 0 && <Empty title={t('deliveries.empty')} text={t('deliveries.emptyText')} />}
      {data && data.data.length > 0 && (
        <Accordion variant="separated" order={3}>
          {data.data.map((d) => (
            <One key={d.id} delivery={d} webhook={w} onRetried={later} />
          ))}
        </Accordion>
      )}
    </Paper>
  );
}

function One({ delivery: d, webhook: w, onRetried }: { delivery: Delivery; webhook: Webhook; onRetried: () => void }) {
  const { t } = useTranslation('hook');
  return (
    <Accordion.Item value={d.id} data-delivery>
      <Accordion.Control>
        <Group justify="space-between" gap="xs" pe="xs">
          <Group gap="xs">
            <Status state={d.status} label={t(`deliveries.state.${d.status}`)} />
            <Code>{d.event_type}</Code>
          </Group>
          <Text size="sm" c="dimmed" component="span">
            {d.response_status ?? (d.error && t(`error.${d.error}`))}
            {(d.response_status ?? d.error) && ' · '}
            <When at={d.created_at} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Detail delivery={d} webhook={w} onRetried={onRetried} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Detail({ delivery: d, webhook: w, onRetried }: { delivery: Delivery; webhook: Webhook; onRetried: () => void }) {
  const { t } = useTranslation('hook');
  const can = useCan();
  const retry = useAction('post', '/webhooks/{id}/deliveries/{delivery_id}/retry', {
    stale: ['/webhooks'],
    done: t('deliveries.retried'),
    then: onRetried,
  });
  return (
    <>
      <Text size="sm" mb="xs">
        {t(`deliveries.about.${d.status}`)}{' '}
        {d.next_attempt_at && (
          <>
            {t('deliveries.nextTry')} <When at={d.next_attempt_at} />.
          </>
        )}
      </Text>
      {d.error && (
        <Alert color="yellow" mb="sm">
          {t(`fix.${d.error}`)}
        </Alert>
      )}
      {d.attempt_log.length > 0 && <Attempts log={d.attempt_log} />}
      {d.response_body && (
        <>
          <Text size="sm" fw={600} mt="sm" mb={4}>
            {t('deliveries.answer')}
          </Text>
          <Code block mah={220} style={{ overflow: 'auto' }} tabIndex={0}>
            {d.response_body}
          </Code>
        </>
      )}
      <Group mt="sm" justify="space-between">
        <div>
          <Copy value={d.id} label="id" small />
          <Copy value={d.event_id} small />
        </div>
        {can('webhooks:manage') && w.status === 'ACTIVE' && canRetry(d) && (
          <Button
            size="compact-sm"
            variant="default"
            loading={retry.pending}
            onClick={() => void retry.run({ path: { id: w.id, delivery_id: d.id } })}
          >
            {t('deliveries.retry')}
          </Button>
        )}
      </Group>
    </>
  );
}

function Attempts({ log }: { log: readonly Attempt[] }) {
  const { t } = useTranslation('hook');
  const f = useFormat();
  return (
    <Table aria-label={t('deliveries.attempts')} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('deliveries.attempt')}</Table.Th>
          <Table.Th>{t('deliveries.when')}</Table.Th>
          <Table.Th>{t('deliveries.outcome')}</Table.Th>
          <Table.Th ta="right">{t('deliveries.took')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {log.map((a, i) => (
          <Table.Tr key={a.at}>
            <Table.Td>{i + 1}</Table.Td>
            <Table.Td>
              <When at={a.at} exact />
            </Table.Td>
            <Table.Td>
              {a.response_status !== null ? `HTTP ${a.response_status}` : ''} {a.error && t(`error.${a.error}`)}
            </Table.Td>
            <Table.Td ta="right">{t('deliveries.ms', { ms: f.number(a.duration_ms) })}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
