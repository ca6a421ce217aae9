import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { scenarioWord } from '@kit';
import { Link, Status, useFormat } from '@shell';
import { useTranslation } from 'react-i18next';
import classes from './seller.module.css';
import type { Performance } from './types';

type Agreed = Pick<Performance['shadow']['by_scenario'][number], 'turns' | 'compared' | 'agreement' | 'interval_95' | 'enough'>;

/** How often people decided what the next level would have done, with how sure that figure is. */
export function Shadow({ of: s }: { of: Performance['shadow'] }) {
  const { t } = useTranslation('seller');
  return (
    <Paper component="section" aria-label={t('shadow.title')}>
      <Title order={2} size="h4">
        {t('shadow.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw={720}>
        {t(s.turns === 0 ? 'shadow.none' : 'shadow.lead')}
      </Text>
      {s.turns === 0 ? (
        <Button component={Link} to="/ai/businesses" variant="default" size="xs">
          {t('shadow.toSettings')}
        </Button>
      ) : (
        <Stack gap="sm">
          {s.by_scenario.map((x) => (
            <Agreement key={x.scenario} name={scenarioWord(x.scenario)} of={x} />
          ))}
        </Stack>
      )}
    </Paper>
  );
}

function Agreement({ name, of: x }: { name: string; of: Agreed }) {
  const { t } = useTranslation('seller');
  const f = useFormat();
  const [low, high] = x.interval_95 ?? [];
  return (
    <div data-agreement={name}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap={6}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {!x.enough && <Status state="UNKNOWN" label={t('shadow.few')} />}
        </Group>
        <Text size="sm" c="dimmed">
          {x.agreement !== null && low !== undefined && high !== undefined
            ? `${t('shadow.interval', { share: f.percent(x.agreement), from: f.percent(low), to: f.percent(high) })} · `
            : ''}
          {t('shadow.compared', { compared: f.number(x.compared), turns: f.number(x.turns) })}
        </Text>
      </Group>
      <div className={classes.bar} data-few={!x.enough || undefined} aria-hidden>
        {low !== undefined && high !== undefined && (
          <span className={classes.band} style={{ left: `${low * 100}%`, right: `${(1 - high) * 100}%` }} />
        )}
        {x.agreement !== null && <span className={classes.mark} style={{ left: `${x.agreement * 100}%` }} />}
      </div>
    </div>
  );
}
