import { Alert, Code, Loader, Paper, Select, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DryRun } from './dryrun';
import { fileProblem } from './problems';
import { Sample } from './Sample';
import { type Peek, understood } from './sheet';
import type { Mapping } from './terms';

export const fields = [
  'username',
  'messenger_id',
  'first_name',
  'last_name',
  'language',
  'consent_status',
  'consent_timestamp',
  'consent_note',
  'tags',
] as const;
const auto = 'auto';
const own = 'own';
const out = 'out';

interface Props {
  peek: Peek | null;
  /** The column that was taken for usernames by what stands in it. */
  guessed?: string;
  mapping: Mapping;
  onChange: (m: Mapping) => void;
  dry: DryRun;
}

/** What each column becomes, as the server understood it or as the person says. */
export function Columns({ peek, guessed, mapping, onChange, dry }: Props) {
  const { t } = useTranslation('recipient');
  const problem = Object.values(dry.errors).join(' ');
  return (
    <Stack>
      {problem && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('import.unread')} role="alert">
          {fileProblem(t, problem)} {peek && t('import.sayColumn')}
        </Alert>
      )}
      {!problem && guessed !== undefined && mapping[guessed] === 'username' && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />}>
          {t('import.guessed', { column: guessed })}
        </Alert>
      )}
      {peek && (
        <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('import.step.columns') } }}>
          <Mapped peek={peek} mapping={mapping} onChange={onChange} columns={dry.report?.columns ?? []} />
        </Table.ScrollContainer>
      )}
      {dry.pending && <Loader size="sm" aria-label={t('import.reading')} />}
      {dry.report?.sample && dry.report.sample.length > 0 && (
        <Paper>
          <Title order={2} mb={4}>
            {t('import.sample')}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {t('import.sampleHint')}
          </Text>
          <Sample rows={dry.report.sample} />
        </Paper>
      )}
    </Stack>
  );
}

function Mapped({
  peek,
  mapping,
  onChange,
  columns,
}: {
  peek: Peek;
  mapping: Mapping;
  onChange: (m: Mapping) => void;
  columns: readonly string[];
}) {
  const { t } = useTranslation('recipient');
  const became = understood(peek.header, columns, mapping);
  const options = [
    { value: auto, label: t('import.to.auto') },
    ...fields.map((f) => ({ value: f, label: t(`import.to.${f}`) })),
    { value: own, label: t('import.to.own') },
    { value: out, label: t('import.to.out') },
  ];
  const put = (header: string, to: string | null) => {
    const next: Record<string, string> = { ...mapping };
    delete next[header];
    if (to === own) next[header] = `attributes.${key(header)}`;
    else if (to === out) next[header] = '';
    else if (to !== null && to !== auto) next[header] = to;
    onChange(next);
  };
  const chosen = (header: string) => {
    const to = mapping[header];
    return to === undefined ? auto : to === '' ? out : to.startsWith('attributes.') ? own : to;
  };
  return (
    <Paper p={0}>
      <Table aria-label={t('import.step.columns')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('import.column')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('import.values')}</Table.Th>
            <Table.Th w={{ base: 190, sm: 260 }}>{t('import.becomes')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {peek.header.map((h, i) => (
            <Table.Tr key={`${i}${h}`}>
              <Table.Td fw={550} style={{ overflowWrap: 'anywhere' }}>
                {h || '–'}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Text size="sm" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
                  {peek.rows
                    .map((r) => r[i])
                    .filter(Boolean)
                    .join(' · ') || '–'}
                </Text>
              </Table.Td>
              <Table.Td>
                <Select
                  size="xs"
                  data={options}
                  value={chosen(h)}
                  onChange={(v) => put(h, v)}
                  allowDeselect={false}
                  disabled={h === ''}
                  aria-label={t('import.becomesOf', { column: h || '–' })}
                />
                {mapping[h] === undefined && became[i] && (
                  <Text size="xs" c="dimmed" mt={2}>
                    →{' '}
                    {(fields as readonly string[]).includes(became[i]) ? (
                      t(`import.to.${became[i] as (typeof fields)[number]}`)
                    ) : (
                      <Code fz="xs">{`{{${became[i].replace('attributes.', '')}}}`}</Code>
                    )}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** A header as the name of an own field. */
const key = (header: string) =>
  header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '') || 'field';
