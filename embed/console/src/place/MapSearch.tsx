import { Grid, Paper, Skeleton, Text } from '@mantine/core';
import { Failed, late, Page, useFormat, When } from '@shell';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lang, useMap } from './api';
import { Found } from './Found';
import { PlaceCard } from './PlaceCard';
import { PointCard } from './PointCard';
import { NoMap, Refused, wantsKey } from './Setup';
import { Way } from './Way';
import type { Result, Route, Status } from './types';

const Canvas = late(() => import('./Canvas'));

/** What is being looked at: a place that was found, or a point that was pressed. */
export type Chosen = { kind: 'place'; result: Result } | { kind: 'point'; lat: number; lon: number };

/** Search, places and ways, on a map of our own server. */
export default function MapSearch() {
  const { t } = useTranslation('place');
  const f = useFormat();
  const { data: status, error, refetch } = useMap('/api/status');
  const ready = Boolean(status && status.docs > 0);
  // A cheap question that wants a key where the server wants one.
  const gate = useMap('/styles/styles.json', {}, { enabled: ready });
  const lead =
    ready && status ? (
      <>
        {t('lead', { count: status.docs, n: f.number(status.docs) })}{' '}
        {status.built_at && (
          <>
            {t('built')} <When at={status.built_at} />
          </>
        )}
      </>
    ) : undefined;
  return (
    <Page title={t('title')} lead={lead}>
      {error && !status && <Failed error={error} onAgain={() => void refetch()} />}
      {!status && !error && <Skeleton h={400} />}
      {status && !ready && <NoMap />}
      {ready && wantsKey(gate.error) && <Refused error={gate.error!} onAgain={() => void gate.refetch()} />}
      {ready && status && !wantsKey(gate.error) && (gate.data || gate.error) && <Explorer status={status} />}
    </Page>
  );
}

/** A town is seen as a whole, a café close up. */
const townZoom = 12;

function Explorer({ status }: { status: Status }) {
  const { t } = useTranslation('place');
  const [chosen, setChosen] = useState<Chosen>();
  const [from, setFrom] = useState<{ lat: number; lon: number; name: string }>();
  const [route, setRoute] = useState<Route>();
  const choose = (c: Chosen | undefined) => {
    setChosen(c);
    setRoute(undefined);
  };
  const at = chosen?.kind === 'place' ? chosen.result : chosen;
  const pins = [...(from ? [{ lat: from.lat, lon: from.lon, color: '#2563eb' }] : []), ...(at ? [{ lat: at.lat, lon: at.lon }] : [])];
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 4 }} order={{ base: 1, md: 1 }}>
        <Found near={at} onChoose={(result) => choose({ kind: 'place', result })} />
        {chosen?.kind === 'place' && (
          <PlaceCard key={chosen.result.id} id={chosen.result.id} onChoose={(result) => choose({ kind: 'place', result })} />
        )}
        {chosen?.kind === 'point' && (
          <PointCard lat={chosen.lat} lon={chosen.lon} onChoose={(result) => choose({ kind: 'place', result })} />
        )}
        {at && status.routing && (
          <Way
            to={at}
            toName={chosen?.kind === 'place' ? chosen.result.name : t('way.here')}
            from={from}
            onFrom={setFrom}
            route={route}
            onRoute={setRoute}
          />
        )}
        {at && !status.routing && (
          <Text size="sm" c="dimmed">
            {t('way.none')}
          </Text>
        )}
        {!at && (
          <Text size="sm" c="dimmed">
            {t('hint')}
          </Text>
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }} order={{ base: 2, md: 2 }}>
        <Paper p={0} h="min(70vh, 720px)">
          <Suspense fallback={<Skeleton h="100%" />}>
            <Canvas
              label={t('map')}
              bounds={status.bounds}
              pins={pins}
              at={
                at && {
                  lat: at.lat,
                  lon: at.lon,
                  ...('bbox' in at ? { bbox: at.bbox, zoom: at.kind === 'place' ? townZoom : undefined } : {}),
                }
              }
              route={route?.geometry}
              routeBox={route?.bbox}
              onPress={(lat, lon) => choose({ kind: 'point', lat, lon })}
              key={lang()}
            />
          </Suspense>
        </Paper>
      </Grid.Col>
    </Grid>
  );
}
