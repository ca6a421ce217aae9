import { Alert, Button, Stack, Text } from '@mantine/core';
import {
  Changes,
  type Column,
  Copy,
  type Filter,
  List,
  Name,
  Page,
  prefixOf,
  type Schema,
  SideDialog,
  startOfDay,
  useListState,
  When,
} from '@shell';
import { IconDownload } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { actors } from './choices';
import { administrators } from './Guard';
import { Fact, Facts, useOrganizations, wordOr } from './parts';

type Entry = Schema<'AuditEntry'>;

const actionWord = (a: string) => wordOr(`action.${a.replaceAll('.', '_')}`, a);
const actions = [
  'organization.created',
  'organization.updated',
  'organization.limits_changed',
  'organization.suspended',
  'organization.reactivated',
  'account.disabled',
  'account.enabled',
  'proxy.disabled',
  'proxy.enabled',
  'campaign.paused',
  'campaign.resumed',
  'campaign.cancelled',
  'queue.paused',
  'queue.resumed',
  'queue.archived_retried',
  'queue.archived_dropped',
  'task.retried',
  'task.dropped',
  'abuse_report.created',
  'abuse_report.updated',
  'settings.updated',
  'support_session.opened',
  'support_session.ended',
  'user.created',
  'user.promoted',
  'user.disabled',
  'user.enabled',
] as const;

/** What administrators did on the platform; with an organization chosen, the log of that one. */
function AuditLog() {
  const { t } = useTranslation('admin');
  const [opened, setOpened] = useState<Entry>();
  const organizations = JSON.stringify(useOrganizations());
  const columns = useMemo<Column<Entry>[]>(
    () => [
      {
        key: 'action',
        title: t('audit.what'),
        render: (e) => (
          <Button variant="subtle" size="compact-sm" px={4} ms={-4} onClick={() => setOpened(e)} data-open>
            {actionWord(e.action)}
          </Button>
        ),
      },
      {
        key: 'resource',
        title: t('audit.on'),
        render: (e) => (
          <>
            {wordOr(`resource.${e.resource.type}`, e.resource.type)}
            {e.resource.name && (
              <Text span size="sm" c="dimmed">
                {' '}
                {e.resource.type === 'abuse_report' ? wordOr(`report.category.${e.resource.name}`, e.resource.name) : e.resource.name}
              </Text>
            )}
          </>
        ),
      },
      { key: 'actor', title: t('audit.who'), render: (e) => e.actor.name || wordOr(`actor.${e.actor.type}`, e.actor.type) },
      { key: 'reason', title: t('column.reason'), from: 'md', render: (e) => e.reason ?? '–' },
      { key: 'at', title: t('audit.when'), sort: 'created_at', render: (e) => <When at={e.at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'organization_id',
        label: t('audit.logOf'),
        options: JSON.parse(organizations) as { value: string; label: string }[],
        searchable: true,
      },
      {
        kind: 'choice',
        key: 'action',
        label: t('audit.what'),
        options: actions.map((value) => ({ value, label: actionWord(value) })),
        searchable: true,
      },
      {
        kind: 'choice',
        key: 'actor_type',
        rare: true,
        label: t('audit.who'),
        options: actors.map((value) => ({ value, label: t(`actor.${value}`) })),
      },
      { kind: 'days', from: 'from', to: 'to', label: t('audit.when') },
    ],
    [t, organizations],
  );
  const { filters: set } = useListState(useMemo(() => ['organization_id'], []));
  return (
    <Page title={t('audit.title')} lead={t('audit.lead')} actions={<Export />}>
      {set.organization_id && (
        <Alert color="blue" mb="sm">
          {t('audit.ofOne')}
        </Alert>
      )}
      <List
        path="/admin/audit-logs"
        label={t('audit.title')}
        columns={columns}
        filters={filters}
        sort="-created_at"
        name={(e) => actionWord(e.action)}
        empty={{ title: t('audit.empty'), text: t('audit.emptyText') }}
      />
      {opened && <Opened entry={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

/** The same entries as CSV. */
function Export() {
  const { t } = useTranslation('admin');
  const search = useRouterState({ select: (s) => s.location.searchStr });
  const query = new URLSearchParams(search);
  for (const day of ['from', 'to']) {
    // the address has days, the API moments
    const value = query.get(day);
    if (value) query.set(day, startOfDay(value, day === 'to' ? 1 : 0) ?? '');
  }
  query.delete('page');
  query.set('format', 'csv');
  return (
    <Button
      component="a"
      variant="default"
      href={`/api/v1/admin/audit-logs?${query}`}
      download
      leftSection={<IconDownload size={17} aria-hidden />}
    >
      {t('audit.download')}
    </Button>
  );
}

/** The label of a setting; other fields have the names that they have everywhere. */
const settingWord = (field: string) => wordOr(`setting.${field}.label`, '') || undefined;

/** Organizations by name; of what belongs to them the platform reads none alone. */
function Known({ id }: { id: string }) {
  if (prefixOf(id) === 'org') return <Name path="/admin/organizations/{id}" input={{ path: { id } }} of={(o) => o.name} />;
  return <Copy value={id} small />;
}

function Opened({ entry: e, onClose }: { entry: Entry; onClose: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <SideDialog onClose={onClose} size="lg" title={actionWord(e.action)}>
      <Stack>
        <Facts>
          <Fact label={t('audit.when')}>
            <When at={e.at} exact />
          </Fact>
          <Fact label={t('audit.who')}>{e.actor.name || wordOr(`actor.${e.actor.type}`, e.actor.type)}</Fact>
          <Fact label={t('audit.on')}>
            {wordOr(`resource.${e.resource.type}`, e.resource.type)} {e.resource.name}
          </Fact>
          <Fact label={t('column.reason')}>{e.reason}</Fact>
          <Fact label={t('support.from')}>{e.ip}</Fact>
          <Fact label={t('audit.number')}>{e.seq}</Fact>
        </Facts>
        {e.changes && Object.keys(e.changes).length > 0 && (
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t('audit.changes')}
            </Text>
            <Changes changes={e.changes} label={t('audit.changes')} thing={(id) => <Known id={id} />} name={settingWord} />
          </div>
        )}
        {e.request_id && <Copy value={e.request_id} label="request" small />}
        <Copy value={e.resource.id} label="id" small />
      </Stack>
    </SideDialog>
  );
}

export default administrators(AuditLog);
