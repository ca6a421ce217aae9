import { Alert, Anchor, List, Paper, Select, Text, Title } from '@mantine/core';
import { codeWord, Failed, type Href, Link, ThingById, useCan, useGet } from '@shell';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recipient } from './name';

/** Whether a message would arrive, for any message or for one campaign, and why not. */
export function Reach({ recipient: r }: { recipient: Recipient }) {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const [campaign, setCampaign] = useState<string | null>(null);
  const { data, error, refetch } = useGet(
    '/recipients/{id}/reachability',
    { path: { id: r.id }, query: campaign ? { campaign_id: campaign } : {} },
    { keep: true },
  );
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('reach.title')}
      </Title>
      {can('campaigns:read') && <CampaignChoice value={campaign} onChange={setCampaign} />}
      {error && <Failed error={error} onAgain={() => void refetch()} />}
      {data &&
        !error &&
        (data.reachable ? (
          <Alert color="green" icon={<IconCircleCheck aria-hidden />}>
            {t('reach.yes')}
            {data.account_id && (
              <>
                {' '}
                {t('reach.from')} <ThingById id={data.account_id} />.
              </>
            )}
          </Alert>
        ) : (
          <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('reach.no')}>
            <List size="sm" spacing={6}>
              {data.reasons.map((why) => (
                <List.Item key={why.code}>
                  {codeWord(why.code)} <Mend code={why.code} recipient={r} campaign={campaign} />
                </List.Item>
              ))}
            </List>
          </Alert>
        ))}
    </Paper>
  );
}

type Place = 'edit' | 'suppression' | 'accounts' | 'campaign';

/** Where each reason is mended. What nobody can mend has no place. */
const places: Record<string, Place> = {
  UNKNOWN_CONSENT: 'edit',
  PEER_UNRESOLVABLE: 'edit',
  USERNAME_REASSIGNED: 'edit',
  MISSING_VARIABLES: 'edit',
  SUPPRESSED: 'suppression',
  NO_ACCOUNT: 'accounts',
  ACCOUNT_NOT_ACTIVE: 'accounts',
  NOT_IN_AUDIENCE: 'campaign',
  CAMPAIGN_ENDED: 'campaign',
  RECENTLY_MESSAGED: 'campaign',
};

function Mend({ code, recipient: r, campaign }: { code: string; recipient: Recipient; campaign: string | null }) {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const place = places[code];
  if (
    !place ||
    (place === 'edit' && !can('recipients:manage')) ||
    (place === 'accounts' && !can('accounts:read')) ||
    (place === 'campaign' && !campaign)
  )
    return null;
  const q = r.username ?? String(r.messenger_id ?? '');
  const ways: Record<typeof place, Href> = {
    edit: `/recipients/${r.id}/edit`,
    suppression: '/recipients/suppressions',
    accounts: '/accounts',
    campaign: `/campaigns/${campaign}`,
  };
  return (
    <Anchor component={Link} to={ways[place]} search={(place === 'suppression' ? { q } : {}) as never} size="sm" fw={550}>
      {t(`mend.${place}`)}
    </Anchor>
  );
}

function CampaignChoice({ value, onChange }: { value: string | null; onChange: (v: string | null) => void }) {
  const { t } = useTranslation(['recipient', 'shell']);
  const { data } = useGet('/campaigns', { query: { limit: 100 } });
  if (!data || data.data.length === 0)
    return (
      <Text size="sm" c="dimmed" mb="sm">
        {t('reach.noCampaigns')}
      </Text>
    );
  return (
    <Select
      mb="sm"
      label={t('reach.campaign')}
      placeholder={t('reach.any')}
      data={data.data.map((c) => ({ value: c.id, label: c.name }))}
      value={value}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
      searchable
    />
  );
}
