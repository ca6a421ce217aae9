import { Button } from '@mantine/core';
import { type Column, Confirm, List, Num, Page, type Schema, useAction, When } from '@shell';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { OrgLink, State } from './parts';

type Session = Schema<'SessionShownSupport'>;

const open = ['PENDING', 'ACTIVE'];

function SupportSessions() {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<Session>();
  const columns = useMemo<Column<Session>[]>(
    () => [
      { key: 'reason', title: t('column.reason'), render: (s) => s.reason },
      { key: 'organization', title: t('column.organization'), render: (s) => <OrgLink of={s.organization} /> },
      { key: 'admin', title: t('support.who'), render: (s) => s.admin.name || '–' },
      { key: 'status', title: t('column.status'), render: (s) => <State kind="support" state={s.status} /> },
      { key: 'started', title: t('support.started'), render: (s) => <When at={s.started_at} /> },
      { key: 'ended', title: t('support.until'), from: 'md', render: (s) => <When at={s.ended_at ?? s.expires_at} /> },
      { key: 'looks', title: t('support.looks'), align: 'right', render: (s) => <Num value={s.accesses_count} /> },
      {
        key: 'actions',
        title: '',
        align: 'right',
        render: (s) =>
          open.includes(s.status) && (
            <Button size="compact-xs" variant="default" onClick={() => setAsked(s)}>
              {t('support.end')}
            </Button>
          ),
      },
    ],
    [t],
  );
  return (
    <Page title={t('support.list')} lead={t('support.lead')}>
      <List
        path="/admin/support-sessions"
        label={t('support.list')}
        columns={columns}
        to={(s) => `/admin/support-sessions/${s.id}`}
        name={(s) => s.reason}
        empty={{ title: t('support.empty'), text: t('support.emptyText') }}
      />
      {asked && <End session={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function End({ session: s, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const act = useAction('post', '/admin/support-sessions/{id}/end', { stale: ['/admin'], done: t('support.ended'), then: onClose });
  return (
    <Confirm
      danger
      title={t('support.endTitle', { name: s.organization.name })}
      act={t('support.end')}
      pending={act.pending}
      consequence={t('support.endText', { who: s.admin.name, name: s.organization.name })}
      onClose={onClose}
      onConfirm={() => void act.run({ path: { id: s.id } })}
    />
  );
}

export default administrators(SupportSessions);
