import { Code } from '@mantine/core';
import { type Column, List, Page, type Schema, Thing, When } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

type Access = Schema<'SessionShownAccess'>;

/** What support looked at in one session. */
export default function Accesses() {
  const { t } = useTranslation('org');
  const { id = '' } = useParams({ strict: false });
  const columns = useMemo<Column<Access>[]>(
    () => [
      { key: 'at', title: t('support.at'), render: (a) => <When at={a.at} exact /> },
      {
        key: 'what',
        title: t('support.what'),
        render: (a) => (
          <Code>
            {a.method} {a.path}
          </Code>
        ),
      },
      {
        key: 'resource',
        title: t('support.resource'),
        render: (a) => (a.resource ? <Thing id={a.resource.id} name={a.resource.name} /> : '–'),
      },
      { key: 'ip', title: t('support.ip'), from: 'md', render: (a) => a.ip },
    ],
    [t],
  );
  return (
    <Page
      title={t('support.accesses')}
      lead={t('support.accessesLead')}
      above={[
        { label: t('settings.title'), to: '/settings' },
        { label: t('support.title'), to: '/settings/support' },
      ]}
    >
      <List
        path="/organization/support-sessions/{id}/accesses"
        params={{ id }}
        id={(a) => `${a.at}${a.method}${a.path}`}
        label={t('support.accesses')}
        columns={columns}
        name={(a) => a.path}
        empty={{ title: t('support.nothing'), text: t('support.nothingText') }}
      />
    </Page>
  );
}
