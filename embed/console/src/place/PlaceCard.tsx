import type { ReactNode } from 'react';
import { Anchor, DataList, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { Copy, Failed, Status, useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import { lang, useMap } from './api';
import { dayText } from './hours';
import type { Place, Result } from './types';

/** What is known about a place. */
export function PlaceCard({ id, onChoose }: { id: number; onChoose: (r: Result) => void }) {
  const { data, error, refetch } = useMap(`/api/place/${id}`, { lang: lang() });
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={200} mb="sm" />;
  return <Card place={data} onChoose={onChoose} />;
}

const nearShown = 5;

function Card({ place: p, onChoose }: { place: Place; onChoose: (r: Result) => void }) {
  const { t } = useTranslation('place');
  const open = p.details.open_status;
  const web = p.details.website && /^https?:\/\//.test(p.details.website) ? p.details.website : undefined;
  return (
    <Paper mb="sm" component="section" aria-label={p.name}>
      <Stack gap="xs">
        <div>
          <Title order={2}>{p.name}</Title>
          <Text size="sm" c="dimmed">
            {p.category_label}
          </Text>
        </div>
        {open?.known && (
          <div>
            <Status
              state={open.open ? 'OK' : 'OFFLINE'}
              label={
                open.next_change
                  ? t(open.open ? 'place.openUntil' : 'place.closedUntil', { time: open.next_change })
                  : t(open.open ? 'place.open' : 'place.closed')
              }
            />
          </div>
        )}
        <DataList orientation="horizontal" labelWidth="min(90px, 32%)">
          {p.full_address && <Line label={t('place.address')}>{p.full_address}</Line>}
          {p.details.phone && (
            <Line label={t('place.phone')}>
              <Anchor href={`tel:${p.details.phone.replace(/[^\d+]/g, '')}`} size="sm">
                {p.details.phone}
              </Anchor>
            </Line>
          )}
          {web && (
            <Line label={t('place.website')}>
              <Anchor href={web} target="_blank" rel="noreferrer noopener" size="sm">
                {new URL(web).host}
              </Anchor>
            </Line>
          )}
          {p.details.email && <Line label={t('place.email')}>{p.details.email}</Line>}
          <Line label={t('place.point')}>
            <Copy value={`${p.lat.toFixed(6)}, ${p.lon.toFixed(6)}`} small />
          </Line>
        </DataList>
        {p.details.hours && <Hours hours={p.details.hours} />}
        {p.nearby && p.nearby.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t('place.near')}
            </Text>
            {p.nearby.slice(0, nearShown).map((r) => (
              <Anchor
                key={r.id}
                component="button"
                type="button"
                size="sm"
                display="block"
                maw="100%"
                ta="start"
                onClick={() => onChoose(r)}
              >
                {r.name}
              </Anchor>
            ))}
          </div>
        )}
      </Stack>
    </Paper>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}

function Hours({ hours }: { hours: NonNullable<Place['details']['hours']> }) {
  const { t } = useTranslation('place');
  const f = useFormat();
  if (hours.all_day) return <Text size="sm">{t('place.always')}</Text>;
  if (hours.unparsed)
    return (
      <Text size="sm">
        {t('place.hours')}: {hours.raw}
      </Text>
    );
  return (
    <Table aria-label={t('place.hours')} verticalSpacing={2} fz="sm" w="auto">
      <Table.Tbody>
        {f.weekdays.map((name, i) => (
          <Table.Tr key={name}>
            <Table.Th>{name}</Table.Th>
            <Table.Td>{dayText(hours.days[i] ?? []) || t('place.closedDay')}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
