import { Button, Chip, Group, Paper, Table, Text, Title } from '@mantine/core';
import { Status } from '@shell';
import { IconDownload } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fields } from './Columns';
import { why } from './problems';
import { cell, save } from './sheet';
import { type Issue, issueKinds, type Report } from './terms';

const most = 500;
const colors = { INVALID: 'orange', DUPLICATE: 'gray', SUPPRESSED: 'red', OPTED_OUT: 'red', UNKNOWN_CONSENT: 'yellow' } as const;

/** The rows that need a look, by kind. */
export function Issues({ report: r, name }: { report: Report; name: string }) {
  const { t } = useTranslation('recipient');
  const [kind, setKind] = useState<string>('');
  const kinds = issueKinds.filter((k) => r.issues.some((i) => i.kind === k));
  const shown = r.issues.filter((i) => kind === '' || i.kind === kind);
  return (
    <Paper p={0}>
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2} size="h4">
          {t('import.issues')}
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => save(`${name.replace(/\.\w+$/, '')}-issues.csv`, csv(t, shown))}
        >
          {t('export')}
        </Button>
      </Group>
      {kinds.length > 1 && (
        <Chip.Group value={kind} onChange={(v) => setKind(v as string)}>
          <Group gap="xs" px="md" pb="xs">
            <Chip size="xs" value="">
              {t('import.allIssues', { count: r.issues.length })}
            </Chip>
            {kinds.map((k) => (
              <Chip key={k} size="xs" value={k}>
                {t(`import.kind.${k}`)} · {r.issues.filter((i) => i.kind === k).length}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      )}
      <Table.ScrollContainer
        minWidth={560}
        mah={460}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('import.issues') } }}
      >
        <Table stickyHeader aria-label={t('import.issues')} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={70}>{t('import.row')}</Table.Th>
              <Table.Th>{t('import.what')}</Table.Th>
              <Table.Th>{t('import.value')}</Table.Th>
              <Table.Th>{t('import.why')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((i, n) => (
              <Table.Tr key={n}>
                <Table.Td>{i.row}</Table.Td>
                <Table.Td>
                  <Status state={i.kind} color={colors[i.kind]} label={t(`import.kind.${i.kind}`)} />
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {[fieldName(t, i.field), i.value].filter(Boolean).join(': ') || '–'}
                </Table.Td>
                <Table.Td>{why(t, i)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {r.issues.length >= most && (
        <Text size="sm" c="dimmed" p="md">
          {t('import.firstIssues', { count: most })}
        </Text>
      )}
    </Paper>
  );
}

/** A field as the step of the columns calls it; fields of one's own by their names. */
function fieldName(t: TFunction<'recipient'>, field: string | null): string {
  if (!field) return '';
  return (fields as readonly string[]).includes(field)
    ? t(`import.to.${field as (typeof fields)[number]}`)
    : field.replace('attributes.', '');
}

function csv(t: TFunction<'recipient'>, issues: readonly Issue[]): string {
  const head = [t('import.row'), t('import.what'), t('import.field'), t('import.value'), t('import.why')];
  const rows = issues.map((i) => [i.row, t(`import.kind.${i.kind}`), i.field, i.value, why(t, i)]);
  return [head, ...rows].map((r) => r.map(cell).join(',')).join('\r\n');
}
