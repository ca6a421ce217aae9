import { type Column, List, Num, Page, type Schema, Status, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsSections } from './sections';

type Session = Schema<'SessionShownSupport'>;

/** When the staff of the platform looked at this organization, and why. */
export default function Support() {
  const { t } = useTranslation('org');
  const columns = useMemo<Column<Session>[]>(
    () => [
      { key: 'admin', title: t('support.who'), render: (s) => s.admin.name || '–' },
      { key: 'status', title: t('support.status'), render: (s) => <Status state={s.status} label={t(`support.state.${s.status}`)} /> },
      { key: 'reason', title: t('support.reason'), render: (s) => s.reason },
      { key: 'started', title: t('support.started'), render: (s) => <When at={s.started_at} /> },
      { key: 'ended', title: t('support.ended'), from: 'md', render: (s) => <When at={s.ended_at ?? s.expires_at} /> },
      { key: 'looks', title: t('support.looks'), align: 'right', render: (s) => <Num value={s.accesses_count} /> },
    ],
    [t],
  );
  return (
    <Page title={t('support.title')} lead={t('support.lead')}>
      <SettingsSections />
      <List
        path="/organization/support-sessions"
        label={t('support.title')}
        columns={columns}
        to={(s) => `/settings/support/${s.id}`}
        name={(s) => s.admin.name}
        empty={{ title: t('support.empty'), text: t('support.emptyText') }}
      />
    </Page>
  );
}
