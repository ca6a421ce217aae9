import { Button, Group, Progress, Text } from '@mantine/core';
import { type Column, Link, List, NamedThing, Num, Page, type Schema, Status, useCan, When } from '@shell';
import { IconFileImport } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Sections } from '../Sections';
import { processedOf } from './progress';

export type Import = Schema<'RecipientShownImport'>;

/** Every import with what became of it, newest first. */
export default function Imports() {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const columns = useMemo<Column<Import>[]>(
    () => [
      { key: 'file', title: t('import.file'), render: (i) => i.file_name ?? t(`source.${i.source as 'CSV'}`) },
      { key: 'status', title: t('import.state'), render: (i) => <State of={i} /> },
      { key: 'rows', title: t('import.rowsTitle'), align: 'right', render: (i) => <Num value={i.report.total} /> },
      { key: 'created', title: t('import.created'), align: 'right', render: (i) => <Num value={i.report.created} /> },
      { key: 'updated', title: t('import.updated'), align: 'right', render: (i) => <Num value={i.report.updated} /> },
      {
        key: 'left',
        title: t('import.left'),
        align: 'right',
        from: 'md',
        render: (i) => <Num value={i.report.invalid + i.report.duplicates} />,
      },
      {
        key: 'list',
        title: t('filter.list'),
        from: 'lg',
        render: (i) => <NamedThing of={i.list} />,
      },
      { key: 'at', title: t('import.at'), sort: 'created_at', render: (i) => <When at={i.created_at} /> },
    ],
    [t],
  );
  const add = can('recipients:manage') && (
    <Button component={Link} to="/recipients/import" leftSection={<IconFileImport size={17} aria-hidden />}>
      {t('import.open')}
    </Button>
  );
  return (
    <Page title={t('sections.imports')} lead={t('import.listLead')} above={[{ label: t('title'), to: '/recipients' }]} actions={add}>
      <Sections />
      <List
        path="/recipient-imports"
        label={t('sections.imports')}
        columns={columns}
        sort="-created_at"
        to={(i) => `/recipients/imports/${i.id}`}
        name={(i) => i.file_name ?? i.source}
        empty={{ title: t('import.none'), text: t('import.noneText'), action: add }}
      />
    </Page>
  );
}

function State({ of: i }: { of: Import }) {
  const { t } = useTranslation('recipient');
  return (
    <Group gap="xs" wrap="nowrap">
      <Status state={i.status === 'DONE' ? 'COMPLETED' : i.status} label={t(`import.status.${i.status}`)} />
      {i.status === 'RUNNING' && i.report.total > 0 && (
        <Progress value={(100 * processedOf(i.report)) / i.report.total} w={70} aria-label={t('import.progress')} />
      )}
      {i.status === 'FAILED' && (
        <Text span size="xs" c="dimmed">
          {t('import.again')}
        </Text>
      )}
    </Group>
  );
}
