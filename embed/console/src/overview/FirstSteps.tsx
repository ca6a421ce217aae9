import { Button, Flex, Group, Paper, Progress, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { useCan, useGet } from '@shell';
import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Dashboard, stepsOf } from './steps';

/** A checklist for who begins; it is gone when all of it is done. */
export function FirstSteps({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation('overview');
  const can = useCan();
  const asks = can('campaigns:read');
  const { data: templates } = useGet('/templates', { query: { limit: 1 } }, { enabled: asks });
  const { data: launched } = useGet(
    '/campaigns',
    { query: { limit: 1, status: ['SCHEDULED', 'RUNNING', 'PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED'] } },
    { enabled: asks },
  );
  const { data: campaigns } = useGet('/campaigns', { query: { limit: 1 } }, { enabled: asks });
  if (!templates || !launched || !campaigns) return null;
  const steps = stepsOf({ dashboard, templates: templates.total, campaigns: campaigns.total, launched: launched.total }, can);
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
