import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link, prefixOf, Thing, When } from '@shell';
import { useTranslation } from 'react-i18next';
import { colors, type Notice as Shown, useNoticeWords, useWay } from './words';

/** What a person knows by its name; an import, say, is known by when it was. */
const named: readonly string[] = ['cmp', 'acc', 'prx', 'whk', 'key', 'lst'];

/** One notification: what happened, to what, what to do, and the way there. */
export function Notice({ notice: n, onOpen }: { notice: Shown; onOpen?: () => void }) {
  const { t } = useTranslation('notify');
  const { title, text } = useNoticeWords()(n);
  const way = useWay()(n);
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm" data-notice={n.kind} data-unread={!n.read_at || undefined}>
      <Box
        w={8}
        h={8}
        mt={7}
        style={{
          borderRadius: 4,
          flexShrink: 0,
          border: `2px solid var(--mantine-color-${colors[n.severity] ?? 'gray'}-6)`,
          background: n.read_at ? 'transparent' : `var(--mantine-color-${colors[n.severity] ?? 'gray'}-6)`,
        }}
        role="img"
        aria-label={`${t(`severity.${n.severity}`)}${n.read_at ? '' : `, ${t('unreadOne')}`}`}
      />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" fw={n.read_at ? 450 : 650}>
          {way ? (
            <Anchor component={Link} to={way} c="inherit" inherit onClick={onOpen}>
              {title}
            </Anchor>
          ) : (
            title
          )}
          {n.count > 1 && (
            <Text span c="dimmed" size="sm">
              {' '}
              {t('times', { count: n.count })}
            </Text>
          )}
        </Text>
        {n.resource && named.includes(prefixOf(n.resource.id) ?? '') && (
          <Text size="sm" component="div">
            <Thing id={n.resource.id} name={n.resource.name} />
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <Text size="xs" c="dimmed">
          <When at={n.updated_at} />
        </Text>
      </div>
    </Group>
  );
}
