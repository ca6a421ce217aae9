import { Anchor, Badge, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { type Href, Link, prefixOf, type Schema, Thing } from '@shell';
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';

type Item = Schema<'NotifyAttention'>;

/** What waits for somebody, the most pressing first; each line leads to where it is mended. */
export function Attention({ items }: { items: readonly Item[] | null }) {
  const { t } = useTranslation('overview');
  const list = items ?? [];
  return (
    <Paper h="100%" component="section" aria-label={t('attention.title')}>
      <Group mb="sm" gap="xs">
        <Title order={2}>{t('attention.title')}</Title>
        {list.length > 0 && (
          <Badge color="orange" c="var(--mantine-color-text)">
            {list.length}
          </Badge>
        )}
      </Group>
      {list.length === 0 ? (
        <Group gap="xs">
          <IconCircleCheck size={20} color="var(--mantine-color-teal-7)" aria-hidden />
          <Text size="sm" c="dimmed">
            {t('attention.none')}
          </Text>
        </Group>
      ) : (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {list.map((a, i) => (
            <Line key={`${a.kind}${a.resource?.id ?? i}`} item={a} />
          ))}
        </Stack>
      )}
    </Paper>
  );
}

function Line({ item: a }: { item: Item }) {
  const { t } = useTranslation('overview');
  const critical = a.severity === 'CRITICAL';
  const key = `attention.kind.${a.kind}`;
  const words = i18next.exists(key, { ns: 'overview' }) ? t(key as never) : a.title;
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon variant="light" color={critical ? 'red' : 'orange'} size={28} radius="xl">
        {critical ? <IconAlertOctagon size={17} aria-hidden /> : <IconAlertTriangle size={17} aria-hidden />}
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        {a.link ? (
          <Anchor component={Link} to={a.link as Href} fw={550}>
            {words}
          </Anchor>
        ) : (
          <Text fw={550}>{words}</Text>
        )}
        {a.resource && named.includes(prefixOf(a.resource.id) ?? '') && (
          <Text size="sm" c="dimmed">
            <Thing id={a.resource.id} name={a.resource.name} />
          </Text>
        )}
      </div>
    </Group>
  );
}

/** What has a name of its own; of the rest the words say enough. */
const named: readonly string[] = ['cmp', 'acc', 'prx', 'whk', 'key', 'lst'];
