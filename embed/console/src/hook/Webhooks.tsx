import { Button, Text } from '@mantine/core';
import { type Column, Link, List, Page, Status, useCan, When } from '@shell';
import { IconPlus, IconShieldCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { colors, healthOf, hostOf, mostFailures, type Webhook } from './health';
import { useEventWords } from './words';

/** Where events are sent to, and how well that goes. */
export default function Webhooks() {
  const { t } = useTranslation('hook');
  const can = useCan();
  const words = useEventWords();
  const columns = useMemo<Column<Webhook>[]>(
    () => [
      {
        key: 'url',
        title: t('column.address'),
        render: (w) => (
          <>
            {w.description || hostOf(w)}
            <Text span size="sm" c="dimmed" display="block" lineClamp={1} maw={420} fw={400}>
              {w.url}
            </Text>
          </>
        ),
      },
      { key: 'health', title: t('column.state'), render: (w) => <Health webhook={w} /> },
      {
        key: 'events',
        title: t('column.events'),
        from: 'md',
        render: (w) => (
          <Text size="sm" lineClamp={2} maw={320}>
            {words(w.events)}
          </Text>
        ),
      },
      { key: 'success', title: t('column.success'), render: (w) => <When at={w.last_success_at} /> },
      { key: 'delivery', title: t('column.delivery'), from: 'lg', render: (w) => <When at={w.last_delivery_at} /> },
    ],
    [t, words],
  );
  const add = can('webhooks:manage') && (
    <Button component={Link} to="/webhooks/new" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('add')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Button component={Link} to="/webhooks/verify" variant="default" leftSection={<IconShieldCheck size={17} aria-hidden />}>
            {t('verify.open')}
          </Button>
          {add}
        </>
      }
    >
      <List
        path="/webhooks"
        label={t('title')}
        columns={columns}
        to={(w) => `/webhooks/${w.id}`}
        name={hostOf}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: add }}
      />
    </Page>
  );
}

export function Health({ webhook: w }: { webhook: Webhook }) {
  const { t } = useTranslation('hook');
  const health = healthOf(w);
  return (
    <div>
      <Status state={colors[health]} label={t(`health.${health}`)} />
      {w.failure_streak > 0 && (
        <Text size="xs" c="dimmed" mt={2}>
          {t('streak', { count: w.failure_streak, most: mostFailures })}
        </Text>
      )}
    </div>
  );
}
