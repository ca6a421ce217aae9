import { Alert, Button, Group, Paper, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { Failed, useCan, useGet, useNavigate, wrongWord } from '@shell';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { handOver } from './handover';

const shown = 50;

/** The rows that were not taken, to be fixed here and imported again, or as a file with the reason beside each. */
export function Rejected({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const navigate = useNavigate();
  const { data, error, refetch } = useGet('/recipient-imports/{id}/rejected', { path: { id }, query: { limit: shown } });
  const [fixed, setFixed] = useState<Readonly<Record<number, Readonly<Record<string, string>>>>>({});
  if (error?.status === 404) return null;
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={120} />;
  if (data.total === 0) return null;
  const columns = [...new Set(data.data.flatMap((r) => Object.keys(r.cells)))];
  const valueOf = (row: (typeof data.data)[number], column: string) => fixed[row.row]?.[column] ?? row.cells[column] ?? '';
  const again = () => {
    const rows = data.data.map((r) => columns.map((c) => valueOf(r, c)));
    handOver(new File([csvOf(columns, rows)], `${name.replace(/\.\w+$/, '')}-fixed.csv`, { type: 'text/csv' }));
    void navigate({ to: '/recipients/import' });
  };
  return (
    <Paper p={0}>
      <Group justify="space-between" p="md" pb="xs">
        <div>
          <Title order={2} size="h4">
            {t('rejected.title', { count: data.total })}
          </Title>
          <Text size="sm" c="dimmed">
            {t('rejected.lead')}
          </Text>
        </div>
        <Button
          size="compact-md"
          variant="default"
          component="a"
          href={`/api/v1/recipient-imports/${id}/rejected?format=csv`}
          download
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          {t('rejected.file')}
        </Button>
      </Group>
      <Table.ScrollContainer
        minWidth={560}
        mah={460}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('rejected.title', { count: data.total }) } }}
      >
        <Table stickyHeader fz="sm" aria-label={t('rejected.title', { count: data.total })}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={60}>{t('import.row')}</Table.Th>
              <Table.Th>{t('import.why')}</Table.Th>
              {columns.map((c) => (
                <Table.Th key={c}>{c}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((r) => (
              <Table.Tr key={r.row}>
                <Table.Td>{r.row}</Table.Td>
                <Table.Td miw={160}>{wrongWord(r.reason)}</Table.Td>
                {columns.map((c) => (
                  <Table.Td key={c} miw={120}>
                    <TextInput
                      size="xs"
                      aria-label={t('rejected.cell', { column: c, row: r.row })}
                      value={valueOf(r, c)}
                      disabled={!can('recipients:manage')}
                      onChange={(e) => {
                        const { value } = e.currentTarget;
                        setFixed((all) => ({ ...all, [r.row]: { ...all[r.row], [c]: value } }));
                      }}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Stack p="md" gap="xs" align="flex-start">
        {data.total > shown && <Alert color="blue">{t('rejected.first', { count: shown })}</Alert>}
        {can('recipients:manage') && (
          <Button disabled={Object.keys(fixed).length === 0} leftSection={<IconFileImport size={16} aria-hidden />} onClick={again}>
            {t('rejected.again')}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

/** Rows as a file that the import reads. */
export function csvOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows].map((r) => r.map(quoted).join(',')).join('\r\n');
}

/** A cell goes to the import and to no spreadsheet: it stays as it is. */
const quoted = (value: string): string => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
