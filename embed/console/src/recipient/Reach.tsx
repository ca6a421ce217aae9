import { Alert, List, Paper, Select, Text, Title } from '@mantine/core';
import { Failed, useCan, useGet } from '@shell';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { AccountName } from './Details';

/** Whether a message would arrive, for any message or for one campaign, and why not. */
export function Reach({ id }: { id: string }) {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const [campaign, setCampaign] = useState<string | null>(null);
  const { data, error, refetch } = useGet('/recipients/{id}/reachability', { path: { id }, query: campaign ? { campaign_id: campaign } : {} }, { keep: true });
  return (
    <Paper>
      <Title order={2} mb="sm">{t('reach.title')}</Title>
      {can('campaigns:read') && <CampaignChoice value={campaign} onChange={setCampaign} />}
      {error && <Failed error={error} onAgain={() => void refetch()} />}
      {data && !error && (data.reachable ? (
        <Alert color="green" icon={<IconCircleCheck aria-hidden />}>{t('reach.yes')}{data.account_id && <> {t('reach.from')} <AccountName id={data.account_id} />.</>}</Alert>
      ) : (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('reach.no')}>
          <List size="sm">{data.reasons.map((r) => <List.Item key={r.code}>{reason(t, r)}</List.Item>)}</List>
        </Alert>
      ))}
    </Paper>
  );
}

/** A reason in the person's language where we have words for its code. */
function reason(t: (k: never) => string, r: { code: string; message: string }): string {
  const key = `reason.${r.code}`;
  return i18next.exists(key, { ns: 'recipient' }) ? t(key as never) : r.message;
}

function CampaignChoice({ value, onChange }: { value: string | null; onChange: (v: string | null) => void }) {
  const { t } = useTranslation('recipient');
  const { data } = useGet('/campaigns', { query: { limit: 100 } });
  if (!data || data.data.length === 0) return <Text size="sm" c="dimmed" mb="sm">{t('reach.noCampaigns')}</Text>;
  return <Select mb="sm" label={t('reach.campaign')} placeholder={t('reach.any')} data={data.data.map((c) => ({ value: c.id, label: c.name }))} value={value} onChange={onChange} clearable searchable />;
}
