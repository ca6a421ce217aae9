import { personName } from '@kit';
import { Badge, DataList, Group, Paper, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Failed, Link, Num, useFormat, useGet } from '@shell';
import { useTranslation } from 'react-i18next';

const reasons = ['opted_out', 'suppressed', 'unknown_consent', 'recently_messaged', 'missing_variables'] as const;

/** How many the choice matches, how many of them get the message, and why the others do not. */
export function AudienceCount({ id }: { id: string }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const { data: a, error, isFetching, refetch } = useGet('/campaigns/{id}/audience-preview', { path: { id } }, { keep: true });
  if (error && !a)
    return (
      <Paper>
        <Failed error={error} onAgain={() => void refetch()} />
      </Paper>
    );
  if (!a) return <Skeleton h={220} />;
  const out = reasons.filter((r) => a.excluded[r] > 0);
  return (
    <Paper aria-busy={isFetching}>
      <Title order={2} mb="xs">
        {t('count.title')}
      </Title>
      <Stack gap="sm" aria-live="polite">
        <div>
          <Text fz={30} fw={650} lh={1.1}>
            <Num value={a.sendable} />
          </Text>
          <Text size="sm" c="dimmed">
            {t('count.of', { sendable: f.number(a.sendable), count: a.matched })}
          </Text>
        </div>
        <Progress
          value={a.matched > 0 ? (a.sendable / a.matched) * 100 : 0}
          aria-label={t('count.of', { sendable: f.number(a.sendable), count: a.matched })}
        />
        {out.length > 0 && (
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t('count.out')}
            </Text>
            <DataList orientation="horizontal" labelWidth="min(240px, 60%)">
              {out.map((r) => (
                <DataList.Item key={r}>
                  <DataList.ItemLabel>{t(`excluded.${r}`)}</DataList.ItemLabel>
                  <DataList.ItemValue>
                    <Num value={a.excluded[r]} />
                  </DataList.ItemValue>
                </DataList.Item>
              ))}
            </DataList>
          </div>
        )}
        {a.reachability.unknown > 0 && <Text size="sm">{t('count.unknown', { count: a.reachability.unknown })}</Text>}
        {a.sample.length > 0 && (
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t('count.sample')}
            </Text>
            <Group gap={6}>
              {a.sample.map((r) => (
                <Badge
                  key={r.id}
                  component={Link}
                  to={`/recipients/${r.id}`}
                  color="gray"
                  c="var(--mantine-color-text)"
                  style={{ cursor: 'pointer' }}
                >
                  {personName(r)}
                </Badge>
              ))}
            </Group>
          </div>
        )}
      </Stack>
    </Paper>
  );
}
