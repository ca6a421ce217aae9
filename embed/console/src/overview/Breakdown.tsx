import { Group, Progress, SegmentedControl, Skeleton, Table, Text, Title } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { codeWord, useFormat, useGet } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Group as By, groups } from './periods';

/** The same messages by who sent them, by campaign, or by what went wrong. */
export function Breakdown({
  span,
  by,
  onBy,
}: {
  span: { from: string; to: string };
  by: string | undefined;
  onBy: (by: string | undefined) => void;
}) {
  const { t } = useTranslation('overview');
  const f = useFormat();
  const group: By = groups.find((g) => g === by) ?? 'account';
  // It stands below what a screen shows first: it is asked for when somebody comes to it.
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [seen, setSeen] = useState(false);
  if (inViewport && !seen) setSeen(true);
  const { data } = useGet('/analytics/messages', { query: { ...span, group_by: group } }, { keep: true, enabled: seen });
  const rows = [...(data?.series ?? [])]
    .map((r) => ({ ...r, bad: r.failed + r.unreachable, all: r.delivered + r.failed + r.unreachable + r.skipped }))
    .sort((a, b) => b.all - a.all)
    .slice(0, 12);
  const most = Math.max(1, ...rows.map((r) => r.all));
  return (
    <>
      <Group ref={ref} justify="space-between" mt="lg" mb="xs">
        <Title order={3}>{t('analytics.breakdown')}</Title>
        <SegmentedControl
          size="xs"
          aria-label={t('analytics.breakdown')}
          value={group}
          onChange={(g) => onBy(g === 'account' ? undefined : g)}
          data={groups.map((value) => ({ value, label: t(`analytics.by.${value}`) }))}
        />
      </Group>
      {!data && seen && <Skeleton h={80} />}
      {data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(group === 'error' ? 'analytics.noErrors' : 'analytics.noRows')}
        </Text>
      )}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('analytics.breakdown') } }}>
          <Table aria-label={t('analytics.breakdown')} fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t(`analytics.by.${group}`)}</Table.Th>
                <Table.Th w="34%">{t('analytics.messages')}</Table.Th>
                {group !== 'error' && <Table.Th ta="right">{t('analytics.delivered')}</Table.Th>}
                <Table.Th ta="right">{t('analytics.missed')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((r) => (
                <Table.Tr key={r.key}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {r.label ?? (group === 'error' ? codeWord(r.key) : t('analytics.gone'))}
                  </Table.Td>
                  <Table.Td>
                    <Progress.Root size="sm" aria-hidden>
                      <Progress.Section value={(100 * r.delivered) / most} color="teal.7" />
                      <Progress.Section value={(100 * r.bad) / most} color="red.7" />
                      <Progress.Section value={(100 * r.skipped) / most} color="gray.5" />
                    </Progress.Root>
                  </Table.Td>
                  {group !== 'error' && <Table.Td ta="right">{f.number(r.delivered)}</Table.Td>}
                  <Table.Td ta="right">{f.number(r.bad)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
