import { Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Copy, Failed } from '@shell';
import { useTranslation } from 'react-i18next';
import { lang, useMap } from './api';
import type { Result } from './types';

/** What is where somebody pressed. */
export function PointCard({ lat, lon, onChoose }: { lat: number; lon: number; onChoose: (r: Result) => void }) {
  const { t } = useTranslation('place');
  const { data, error, refetch } = useMap('/api/reverse', { lat, lon, lang: lang() });
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={110} mb="sm" />;
  const place = data.place;
  return (
    <Paper mb="sm" component="section" aria-label={t('point')}>
      <Stack gap="xs">
        <div>
          <Title order={2}>{data.short || t('point')}</Title>
          <Text size="sm" c="dimmed">
            {data.label}
          </Text>
        </div>
        <Copy value={`${lat.toFixed(6)}, ${lon.toFixed(6)}`} small />
        {place && place.name !== data.short && (
          <div>
            <Text size="sm" span>
              {t('pointAt')}{' '}
            </Text>
            <Button variant="subtle" size="compact-sm" px={4} onClick={() => onChoose(place)}>
              {place.name}
            </Button>
          </div>
        )}
      </Stack>
    </Paper>
  );
}
