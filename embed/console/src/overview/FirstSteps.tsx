import { Button, Flex, Group, Paper, Progress, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { Link, useCan, useGet } from '@shell';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Dashboard, type Facts, launchedLately, stepsOf } from './steps';

/** What the steps depend on. The dashboard mostly says it; only what it leaves open is asked for. */
function useFacts(dashboard: Dashboard, asks: boolean): Facts | undefined {
  const lately = launchedLately(dashboard);
  const open = asks && lately === 0;
  const { data: campaigns } = useGet('/campaigns', { query: { limit: 1 } }, { enabled: open });
  const some = open && (campaigns?.total ?? 0) > 0;
  const { data: launched } = useGet('/campaigns', { query: { limit: 1, status: ['COMPLETED', 'CANCELLED', 'FAILED'] } }, { enabled: some });
  const never = open && (campaigns?.total === 0 || launched?.total === 0);
  const { data: templates } = useGet('/templates', { query: { limit: 1 } }, { enabled: never });
  if (lately > 0) return { dashboard, templates: 1, campaigns: lately, launched: lately };
  if (!campaigns || (some && !launched) || (never && !templates)) return undefined;
  return { dashboard, templates: templates?.total ?? 0, campaigns: campaigns.total, launched: launched?.total ?? 0 };
}

/** A checklist for who begins; it is gone when all of it is done. */
export function FirstSteps({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation('overview');
  const can = useCan();
  const facts = useFacts(dashboard, can('campaigns:read'));
  if (!facts) return null;
  const steps = stepsOf(facts, can);
  const done = steps.filter((s) => s.done).length;
  const next = steps.find((s) => !s.done);
  if (!next) return null;
  return (
    <Paper component="section" aria-label={t('first.title')}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('first.title')}</Title>
        <Text size="sm" c="dimmed">
          {t('first.done', { done, total: steps.length })}
        </Text>
      </Group>
      <Progress value={(100 * done) / steps.length} mb="md" aria-label={t('first.title')} />
      <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {steps.map((s, i) => (
          <Group key={s.key} component="li" gap="sm" wrap="nowrap" align="flex-start">
            <ThemeIcon radius="xl" size={28} variant={s.done ? 'filled' : 'default'}>
              {s.done ? (
                <IconCheck size={16} aria-hidden />
              ) : (
                <Text span size="sm">
                  {i + 1}
                </Text>
              )}
            </ThemeIcon>
            <Flex direction={{ base: 'column', xs: 'row' }} align={{ base: 'flex-start', xs: 'center' }} gap="xs" flex={1} miw={0}>
              <div style={{ flex: 1, minWidth: 0 }}>
                <Text fw={600} td={s.done ? 'line-through' : undefined} c={s.done ? 'dimmed' : undefined}>
                  {t(`first.${s.key}.title`)}
                  {s.done && <VisuallyHidden>{t('first.isDone')}</VisuallyHidden>}
                </Text>
                {!s.done && (
                  <Text size="sm" c="dimmed">
                    {t(`first.${s.key}.text`)}
                  </Text>
                )}
              </div>
              {!s.done && (
                <Button component={Link} to={s.to} size="xs" variant={s === next ? 'filled' : 'default'}>
                  {t(s.to === '/campaigns' ? 'first.launch.actDraft' : `first.${s.key}.act`)}
                </Button>
              )}
            </Flex>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
