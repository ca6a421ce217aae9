import { Alert, Button, Group, List, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useFormat } from '@shell';
import { asApiError } from '@shell/api/error';
import { IconArrowRight, IconRoute } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask, lang } from './api';
import { distanceText, Found } from './Found';
import type { Route } from './types';

const modes = ['car', 'foot', 'bike'] as const;

interface Props {
  to: { lat: number; lon: number };
  toName: string;
  from: { lat: number; lon: number; name: string } | undefined;
  onFrom: (p: { lat: number; lon: number; name: string }) => void;
  route: Route | undefined;
  onRoute: (r: Route | undefined) => void;
}

/** The way to what is looked at. */
export function Way({ to, toName, from, onFrom, route, onRoute }: Props) {
  const { t } = useTranslation('place');
  const f = useFormat();
  const [mode, setMode] = useState<string>('car');
  const [problem, setProblem] = useState('');
  const [pending, setPending] = useState(false);
  async function find() {
    if (!from || pending) return;
    setPending(true);
    setProblem('');
    try {
      const answer = await ask('/api/route', {
        points: `${from.lon},${from.lat}|${to.lon},${to.lat}`,
        mode,
        lang: lang(),
        alternatives: 0,
      });
      onRoute(answer.routes[0]);
    } catch (thrown) {
      const e = asApiError(thrown);
      onRoute(undefined);
      setProblem(e.message.includes('unavailable') ? t('way.down') : e.status === 502 ? t('way.nothing') : e.message);
    } finally {
      setPending(false);
    }
  }
  return (
    <Paper component="section" aria-label={t('way.title')}>
      <Stack gap="xs">
        <Title order={2}>{t('way.title')}</Title>
        <Found
          label={t('way.from')}
          near={to}
          onChoose={(r) => {
            onFrom({ lat: r.lat, lon: r.lon, name: r.name });
            onRoute(undefined);
          }}
        />
        {from && (
          <Group gap={6}>
            <Text size="sm">{from.name}</Text>
            <IconArrowRight size={15} aria-label={t('way.to')} />
            <Text size="sm">{toName}</Text>
          </Group>
        )}
        <SegmentedControl
          size="xs"
          data={modes.map((value) => ({ value, label: t(`way.mode.${value}`) }))}
          value={mode}
          onChange={(v) => {
            setMode(v);
            onRoute(undefined);
          }}
          aria-label={t('way.how')}
        />
        <Button
          variant="default"
          leftSection={<IconRoute size={16} aria-hidden />}
          disabled={!from}
          loading={pending}
          onClick={() => void find()}
        >
          {t('way.find')}
        </Button>
        {problem && (
          <Alert color="orange" role="alert">
            {problem}
          </Alert>
        )}
        {route && (
          <>
            <Text fw={600}>
              {distanceText(route.distance, f)} · {t('way.minutes', { count: Math.max(1, Math.round(route.duration / 60)) })}
            </Text>
            <List type="ordered" size="sm" mah={260} style={{ overflow: 'auto' }} tabIndex={0}>
              {route.legs
                .flatMap((l) => l.steps)
                .map((s, i) => (
                  <List.Item key={i}>{s.instruction}</List.Item>
                ))}
            </List>
          </>
        )}
      </Stack>
    </Paper>
  );
}
