import { Alert, Button, DataList, Group, Paper, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { type Above, dayOf, Failed, Link, NamedThing, NotFound, Num, Page, Status, useEvents, useFormat, useGet, When } from '@shell';
import { IconFileImport, IconUsers } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { consents } from '../choices';
import { processedOf } from './progress';
import type { Import } from './Imports';
import { Rejected } from './Rejected';
import { Report } from './Report';

/** One import: its progress while it runs, then what became of it and whom it made. */
export default function ImportPage() {
  const { t } = useTranslation('recipient');
  const { id = '' } = useParams({ strict: false });
  const { data: i, error, refetch } = useGet('/recipient-imports/{id}', { path: { id } });
  const above: Above[] = [
    { label: t('title'), to: '/recipients' },
    { label: t('sections.imports'), to: '/recipients/imports' },
  ];
  if (error?.status === 404) return <NotFound />;
  if (!i)
    return (
      <Page title={t('import.title')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page
      title={i.file_name ?? t('import.title')}
      above={above}
      badge={<Status state={i.status === 'DONE' ? 'COMPLETED' : i.status} label={t(`import.status.${i.status}`)} />}
      actions={i.status === 'DONE' && <People of={i} />}
    >
      <Stack maw={980}>
        {i.status === 'RUNNING' && <Running of={i} />}
        {i.status === 'FAILED' && (
          <Alert color="red" title={t('import.failed')}>
            {t('import.failedText')}{' '}
            <Button
              mt="xs"
              size="compact-sm"
              component={Link}
              to="/recipients/import"
              leftSection={<IconFileImport size={15} aria-hidden />}
            >
              {t('import.sendAgain')}
            </Button>
          </Alert>
        )}
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          {(
            [
              ['created', i.report.created],
              ['updated', i.report.updated],
              ['optedOut', i.report.suppressed + i.report.opted_out],
              ['left', i.report.invalid + i.report.duplicates],
            ] as const
          ).map(([key, n]) => (
            <Paper key={key} p="sm">
              <Text size="sm" c="dimmed">
                {t(`import.${key}`)}
              </Text>
              <Text size="xl" fw={650}>
                <Num value={n} />
              </Text>
            </Paper>
          ))}
        </SimpleGrid>
        <Facts of={i} />
        {i.status !== 'RUNNING' && <Report report={i.report} name={i.file_name ?? 'import'} done />}
        {i.status === 'DONE' && i.report.invalid + i.report.duplicates > 0 && <Rejected id={i.id} name={i.file_name ?? 'import'} />}
      </Stack>
    </Page>
  );
}

interface Progressed {
  import_id: string;
  processed: number;
  total: number;
}

function Running({ of: i }: { of: Import }) {
  const { t } = useTranslation('recipient');
  const f = useFormat();
  const [heard, setHeard] = useState(0);
  useEvents(['recipient.import_progress'], (e) => {
    const data = payload(e.data);
    if (data.import_id === i.id) setHeard(data.processed);
  });
  const done = Math.min(i.report.total, Math.max(heard, processedOf(i.report)));
  return (
    <Paper>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>{t('import.running')}</Text>
          <Text size="sm" aria-live="polite">
            {t('import.doneOf', { done: f.number(done), total: f.number(i.report.total) })}
          </Text>
        </Group>
        <Progress value={(100 * done) / Math.max(1, i.report.total)} animated aria-label={t('import.progress')} />
        <Text size="sm" c="dimmed">
          {t('import.leave')}
        </Text>
      </Stack>
    </Paper>
  );
}

/** What an event says, with or without its envelope. */
export function payload(data: unknown): Progressed {
  const outer = data as { data?: Progressed } & Progressed;
  return outer.data ?? outer;
}

function Facts({ of: i }: { of: Import }) {
  const { t } = useTranslation('recipient');
  const consent = consents.find((c) => c === i.default_consent);
  return (
    <Paper>
      <DataList orientation="horizontal" labelWidth="min(220px, 45%)">
        <DataList.Item>
          <DataList.ItemLabel>{t('import.at')}</DataList.ItemLabel>
          <DataList.ItemValue>
            <When at={i.created_at} exact />
          </DataList.ItemValue>
        </DataList.Item>
        {i.finished_at && (
          <DataList.Item>
            <DataList.ItemLabel>{t('import.finished')}</DataList.ItemLabel>
            <DataList.ItemValue>
              <When at={i.finished_at} exact />
            </DataList.ItemValue>
          </DataList.Item>
        )}
        {consent && (
          <DataList.Item>
            <DataList.ItemLabel>{t('import.consent')}</DataList.ItemLabel>
            <DataList.ItemValue>{t(`consent.${consent}`)}</DataList.ItemValue>
          </DataList.Item>
        )}
        <DataList.Item>
          <DataList.ItemLabel>{t('field.source')}</DataList.ItemLabel>
          <DataList.ItemValue>{t(`source.${i.source as 'CSV'}`)}</DataList.ItemValue>
        </DataList.Item>
        {i.list_id && (
          <DataList.Item>
            <DataList.ItemLabel>{t('filter.list')}</DataList.ItemLabel>
            <DataList.ItemValue>
              <NamedThing of={i.list} />
            </DataList.ItemValue>
          </DataList.Item>
        )}
        {i.tags.length > 0 && (
          <DataList.Item>
            <DataList.ItemLabel>{t('column.tags')}</DataList.ItemLabel>
            <DataList.ItemValue>{i.tags.join(', ')}</DataList.ItemValue>
          </DataList.Item>
        )}
      </DataList>
    </Paper>
  );
}

/** The people of an import: its list, else its tag, else who was added on its day from its source. */
function People({ of: i }: { of: Import }) {
  const { t } = useTranslation('recipient');
  const day = dayOf(i.created_at);
  const search = i.tags[0] ? { tag: i.tags[0] } : { created_from: day, created_to: dayOf(i.finished_at ?? i.created_at), source: i.source };
  const words = <>{t('import.people')}</>;
  const icon = <IconUsers size={17} aria-hidden />;
  return i.list_id ? (
    <Button component={Link} to={`/recipients/lists/${i.list_id}`} leftSection={icon}>
      {words}
    </Button>
  ) : (
    <Button component={Link} to="/recipients" search={search as never} leftSection={icon}>
      {words}
    </Button>
  );
}
