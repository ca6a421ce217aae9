import { List, Paper, Text, Title } from '@mantine/core';
import { Link, type Schema, useCan, useGet } from '@shell';
import { useTranslation } from 'react-i18next';

type Campaign = Schema<'CampaignShown'>;

/** The campaigns that an account sends for or will, and how many people wait for it and others. */
export function useCampaignsOf(id: string): { campaigns: Campaign[]; people: number } | undefined {
  const can = useCan();
  const { data } = useGet(
    '/campaigns',
    { query: { status: ['RUNNING', 'SCHEDULED', 'PAUSED'], limit: 500 } },
    { enabled: can('campaigns:read') },
  );
  if (!data) return undefined;
  const campaigns = data.data.filter((c) => c.account_ids.includes(id));
  return { campaigns, people: campaigns.reduce((sum, c) => sum + (c.status === 'RUNNING' ? c.totals.pending : 0), 0) };
}

export function Campaigns({ id }: { id: string }) {
  const { t } = useTranslation('account');
  const found = useCampaignsOf(id);
  if (!found || found.campaigns.length === 0) return null;
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('campaigns.title')}
      </Title>
      <List size="sm" listStyleType="none" spacing={4}>
        {found.campaigns.map((c) => (
          <List.Item key={c.id}>
            <Link to={`/campaigns/${c.id}`}>{c.name}</Link>{' '}
            <Text span size="sm" c="dimmed">
              {t(`campaigns.${c.status}` as never)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

/** What a step does to campaigns, in words: which, and how many people still wait in them. */
export function Affected({ id }: { id: string }) {
  const { t } = useTranslation('account');
  const found = useCampaignsOf(id);
  const running = found?.campaigns.filter((c) => c.status === 'RUNNING') ?? [];
  if (!found) return null;
  if (running.length === 0) return <Text size="sm">{t('affected.none')}</Text>;
  return <Text size="sm">{t('affected.running', { count: found.people, names: running.map((c) => `“${c.name}”`).join(', ') })}</Text>;
}
