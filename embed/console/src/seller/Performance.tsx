import { Paper, Table, Text, Title } from '@mantine/core';
import { money } from '@kit';
import { Link, NamedThing, Num, useFormat, useGet } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Performance, wait } from './types';

/** How each version of the prompt did. */
export function ByVersion({ of, whole }: { of: Performance['by_prompt_version']; whole: boolean }) {
  const { t } = useTranslation('seller');
  const f = useFormat();
  const own = of.some((v) => v.prompt_version !== null);
  const { data: prompts } = useGet('/ai/prompts', { query: { limit: 100 } }, { enabled: own });
  const name = (version: string | null): ReactNode => {
    if (version === null) return t('versions.default');
    const [id = '', n = ''] = version.split('/');
    const known = prompts?.data.find((p) => p.id === id);
    if (known) return <Link to={`/ai/prompts/${id}`}>{t('versions.version', { name: known.name, n })}</Link>;
    return prompts && t('versions.gone', { n });
  };
  return (
    <Sums
      title={t('versions.title')}
      note={whole ? t('versions.whole') : undefined}
      none={t('versions.none')}
      heads={['prompt', 'turns', 'sent', 'blocked', 'handoff', 'approved', 'rating', 'cost'].map((k) =>
        t(`versions.${k}` as 'versions.turns'),
      )}
      rows={of.map((v) => ({
        key: v.prompt_version ?? '',
        cells: [
          name(v.prompt_version),
          <Num key="turns" value={v.turns} />,
          part(f, v.sent, v.turns),
          part(f, v.blocked, v.turns),
          part(f, v.handoff, v.turns),
          v.approval_rate === null ? '–' : f.percent(v.approval_rate),
          v.average_rating === null ? '–' : f.number(Math.round(v.average_rating * 10) / 10),
          money(v.cost_usd, f.locale),
        ],
      }))}
    />
  );
}

/** What each person of the team did. */
export function ByPerson({ of, whole }: { of: Performance['by_user']; whole: boolean }) {
  const { t } = useTranslation('seller');
  const f = useFormat();
  return (
    <Sums
      title={t('people.title')}
      note={whole ? t('versions.whole') : undefined}
      none={t('people.none')}
      heads={['person', 'replies', 'median', 'resolved'].map((k) => t(`people.${k}` as 'people.replies'))}
      rows={of.map((u, i) => ({
        key: u.user?.id ?? String(i),
        cells: [
          u.user ? <NamedThing key="who" of={u.user} /> : t('people.key'),
          <Num key="replies" value={u.replies} />,
          wait(f, u.median_response_seconds),
          <Num key="resolved" value={u.handoffs_resolved} />,
        ],
      }))}
    />
  );
}

const part = (f: ReturnType<typeof useFormat>, n: number, of: number): string =>
  of === 0 ? f.number(n) : `${f.number(n)} (${f.percent(n / of)})`;

interface SumsProps {
  title: string;
  note?: string;
  none: string;
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A table of sums; it scrolls by itself where it is narrow. */
function Sums({ title, note, none, heads, rows }: SumsProps) {
  return (
    <Paper component="section" aria-label={title}>
      <Title order={2} size="h4" mb={note ? 0 : 'sm'}>
        {title}
      </Title>
      {note && (
        <Text size="sm" c="dimmed" mb="sm">
          {note}
        </Text>
      )}
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={heads.length * 105} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': title } }}>
          <Table aria-label={title} fz="sm" verticalSpacing="xs" horizontalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                {heads.map((h, i) => (
                  <Table.Th key={h} ta={i === 0 ? undefined : 'right'}>
                    {h}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((r) => (
                <Table.Tr key={r.key} data-sum={r.key}>
                  {r.cells.map((c, i) => (
                    <Table.Td key={heads[i]} ta={i === 0 ? undefined : 'right'} style={{ fontVariantNumeric: 'tabular-nums' }}>
                      {c}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
