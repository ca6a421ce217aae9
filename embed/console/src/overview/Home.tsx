import { Grid, Skeleton, Stack } from '@mantine/core';
import { Failed, late, Page, useCan, useGet, useMe } from '@shell';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Attention } from './Attention';
import { Figures } from './Figures';
import { FirstSteps } from './FirstSteps';
import { todayOf } from './periods';
import { Running } from './Running';

const Analytics = late(() => import('./Analytics'));

/** The organization at one glance: what to do first, what needs somebody, what runs, how messages went. */
export default function Home() {
  const { t } = useTranslation('overview');
  const can = useCan();
  const name = useMe().organization?.name;
  const { data, error, refetch } = useGet('/dashboard', {}, { enabled: name !== undefined });
  return (
    <Page title={t('title')} lead={name}>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} />}
      {data && (
        <Stack>
          <FirstSteps dashboard={data} />
          <Figures dashboard={data} />
          <Grid>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Attention items={data.attention} />
            </Grid.Col>
            {can('campaigns:read') && (
              <Grid.Col span={{ base: 12, md: 6 }}>
                <Running dashboard={data} />
              </Grid.Col>
            )}
          </Grid>
          {can('analytics:read') && (
            <Suspense fallback={<Skeleton h={340} />}>
              <Analytics today={todayOf(data)} />
            </Suspense>
          )}
        </Stack>
      )}
    </Page>
  );
}
