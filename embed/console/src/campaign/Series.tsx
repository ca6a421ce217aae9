import { Paper, Table, Title } from '@mantine/core';
import { Link, Name, useGet, When } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Campaign } from './model';
import { CampaignState, ProgressBar } from './State';

/** The runs of a repeating campaign, the newest first, and what comes next. */
export function Series({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const { data } = useGet('/campaigns', { query: { q: c.name, limit: 500, sort: '-created_at' } });
  const runs = (data?.data ?? [c]).filter((x) => x.series?.id === c.series?.id);
  const before = c.series?.previous_campaign_id;
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('series.title')}
      </Title>
      <Table aria-label={t('series.title')}>
        <Table.Tbody>
          {runs.map((r) => (
            <Table.Tr key={r.id}>
              <Table.Td>
                <Link to={`/campaigns/${r.id}`}>{t('series.run', { n: r.series?.run_number ?? 1 })}</Link>
              </Table.Td>
              <Table.Td>
                <CampaignState campaign={r} />
              </Table.Td>
              <Table.Td>
                <ProgressBar totals={r.totals} />
              </Table.Td>
              <Table.Td>
                <When at={r.started_at ?? r.scheduled_at} exact />
              </Table.Td>
            </Table.Tr>
          ))}
          {before && !runs.some((r) => r.id === before) && (
            <Table.Tr>
              <Table.Td colSpan={4}>
                <Link to={`/campaigns/${before}`}>
                  {t('series.previous')}: <Name path="/campaigns/{id}" input={{ path: { id: before } }} of={(x) => x.name} />
                </Link>
              </Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
