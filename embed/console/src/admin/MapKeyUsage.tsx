import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { RequestsChart } from '@kit';
import { Failed, SideDialog, useFormat, useGet } from '@shell';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MapKey } from './mapKey';

const spans = ['7', '30', '90', '365'] as const;

/** What a key was used for, by day and product. */
export function MapKeyUsage({ of: k, onClose }: { of: MapKey; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const [days, setDays] = useState<string>('30');
  const { data, error, refetch } = useGet('/admin/map-keys/{id}/usage', { path: { id: k.id }, query: { days: Number(days) } });
  return (
    <SideDialog onClose={onClose} size="xl" title={t('mapKeys.usageTitle', { name: k.name })}>
      <Stack>
        <SegmentedControl
          data={spans.map((value) => ({ value, label: t('mapKeys.days', { n: value }) }))}
          value={days}
          onChange={setDays}
          aria-label={t('mapKeys.span')}
        />
        {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
        {!data && !error && <Skeleton h={320} />}
        {data && (
          <>
            <Group gap="xl">
              <Text>{t('mapKeys.requests', { n: f.number(data.requests) })}</Text>
              <Text c="dimmed">{t('mapKeys.denied', { n: f.number(data.denied) })}</Text>
            </Group>
            {data.requests + data.denied > 0 ? (
              <Suspense fallback={<Skeleton h={300} />}>
                <RequestsChart use={{ ...data, parts: data.days.map((d) => ({ ...d, at: d.day })) }} />
              </Suspense>
            ) : (
              <Text c="dimmed">{t('mapKeys.quiet')}</Text>
            )}
          </>
        )}
      </Stack>
    </SideDialog>
  );
}
