import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type Column, Copy, type Filter, List, Page, Pale, SideDialog, When } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { categories, reportStates } from './choices';
import { administrators } from './Guard';
import { OrgLink, State, useOrganizations } from './parts';
import { NewReport } from './NewReport';
import type { Report } from './report';
import { Decide } from './Decide';

function Reports() {
  const { t } = useTranslation('admin');
  const [adding, setAdding] = useState(false);
  const [opened, setOpened] = useState<Report>();
  const organizations = JSON.stringify(useOrganizations());
  const add = (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
      {t('report.new')}
    </Button>
  );
  const columns = useMemo<Column<Report>[]>(
    () => [
      {
        key: 'about',
        title: t('report.about'),
        render: (r) => (
          <Button variant="subtle" size="compact-sm" px={4} ms={-4} onClick={() => setOpened(r)} data-open>
            {t(`report.category.${r.category}`)}
          </Button>
        ),
      },
      { key: 'status', title: t('column.status'), render: (r) => <State kind="report" state={r.status} /> },
      {
        key: 'organization',
        title: t('column.organization'),
        render: (r) => (r.organization ? <OrgLink of={r.organization} /> : '–'),
      },
      {
        key: 'text',
        title: t('report.what'),
        from: 'md',
        render: (r) => (
          <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {r.description}
          </Text>
        ),
      },
      {
        key: 'assigned',
        title: t('report.assigned'),
        from: 'lg',
        render: (r) => (r.assignee ? (r.assignee.name ?? t('report.former')) : <Pale>{t('report.nobody')}</Pale>),
      },
      { key: 'created', title: t('report.when'), sort: 'created_at', render: (r) => <When at={r.created_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.status'),
        options: reportStates.map((value) => ({ value, label: t(`state.report.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'category',
        label: t('report.about'),
        options: categories.map((value) => ({ value, label: t(`report.category.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'organization_id',
        label: t('column.organization'),
        options: JSON.parse(organizations) as { value: string; label: string }[],
        searchable: true,
      },
    ],
    [t, organizations],
  );
  return (
    <Page title={t('report.title')} lead={t('report.lead')} actions={add}>
      <List
        path="/admin/abuse-reports"
        label={t('report.title')}
        columns={columns}
        filters={filters}
        sort="-created_at"
        name={(r) => t(`report.category.${r.category}`)}
        empty={{ title: t('report.empty'), text: t('report.emptyText'), action: add }}
      />
      {adding && <NewReport onClose={() => setAdding(false)} />}
      {opened && <Opened report={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

/** The whole of a report, and what can be done about it. */
function Opened({ report: r, onClose }: { report: Report; onClose: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <SideDialog onClose={onClose} size="md" title={t(`report.category.${r.category}`)}>
      <Stack>
        <Group gap="xs">
          <State kind="report" state={r.status} />
          <Text size="sm" c="dimmed">
            {t(`report.source.${r.source}`)} · <When at={r.created_at} />
          </Text>
        </Group>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{r.description}</Text>
        {r.organization && (
          <Text size="sm">
            {t('column.organization')}: <OrgLink of={r.organization} />
          </Text>
        )}
        {r.account_id && (
          <Text size="sm">
            {t('column.account')}: {r.account?.name ?? t('report.goneAccount')}
          </Text>
        )}
        {r.recipient_ref && (
          <Text size="sm">
            {t('report.recipient')}: {r.recipient_ref}
          </Text>
        )}
        {r.resolution && <Textarea label={t('report.resolution')} value={r.resolution} readOnly autosize />}
        {r.resolved_at && (
          <Text size="sm" c="dimmed">
            {t('report.ended')} <When at={r.resolved_at} />
          </Text>
        )}
        <Decide report={r} onDone={onClose} />
        <Copy value={r.id} label="id" small />
      </Stack>
    </SideDialog>
  );
}

export default administrators(Reports);
