import { Code } from '@mantine/core';
import { type Column, List, Page, Pale, type Schema, When } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { administrators } from './Guard';
import { wordOr } from './parts';

type Access = Schema<'SessionShownAccess'>;

/** Everything that a support session looked at, as the organization sees it too. */
function SupportAccesses() {
  const { t } = useTranslation('admin');
  const { id = '' } = useParams({ strict: false });
  const columns = useMemo<Column<Access>[]>(
    () => [
      { key: 'at', title: t('support.when'), render: (a) => <When at={a.at} exact /> },
      {
        key: 'what',
        title: t('support.what'),
        render: (a) =>
          a.resource ? (
            <>
              {wordOr(`resource.${a.resource.type}`, a.resource.type)}
              {a.resource.name && `: ${a.resource.name}`}
            </>
          ) : (
            <Pale>{t('support.page')}</Pale>
          ),
      },
      {
        key: 'path',
        title: t('support.request'),
        render: (a) => <Code style={{ overflowWrap: 'anywhere' }}>{`${a.method} ${a.path}`}</Code>,
      },
      { key: 'ip', title: t('support.from'), from: 'md', render: (a) => a.ip },
    ],
    [t],
  );
  return (
    <Page
      title={t('support.accesses')}
      lead={t('support.accessesLead')}
      above={[{ label: t('support.list'), to: '/admin/support-sessions' }]}
    >
      <List
        path="/admin/support-sessions/{id}/accesses"
        params={{ id }}
        id={(a) => `${a.at} ${a.path}`}
        label={t('support.accesses')}
        columns={columns}
        name={(a) => a.path}
        empty={{ title: t('support.nothing'), text: t('support.nothingText') }}
      />
    </Page>
  );
}

export default administrators(SupportAccesses);
