import { Button } from '@mantine/core';
import { Link, List, Page, useCan, useIsBeside, useListAddress } from '@shell';
import { IconDownload, IconFileImport, IconUserPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BulkActions, mostInBulk } from './BulkActions';
import { useColumns, useFilters } from './columns';
import { exportAddress } from './export';
import { nameOf } from './name';
import { Sections } from './Sections';

export default function RecipientList() {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const beside = useIsBeside();
  const columns = useColumns();
  const filters = useFilters(true);
  const manage = can('recipients:manage');
  const add = manage && (
    <Button component={Link} to="/recipients/new" leftSection={<IconUserPlus size={17} aria-hidden />}>
      {t('add')}
    </Button>
  );
  const bring = manage && (
    <Button component={Link} to="/recipients/import" variant="default" leftSection={<IconFileImport size={17} aria-hidden />}>
      {t('import.open')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          {!beside && <Export />}
          {!beside && bring}
          {add}
        </>
      }
    >
      <Sections />
      <List
        path="/recipients"
        label={t('title')}
        columns={columns}
        filters={filters}
        search={t('search')}
        sort="-created_at"
        to={(r) => `/recipients/${r.id}`}
        name={nameOf}
        bulk={manage ? { actions: (s) => <BulkActions selection={s} />, most: mostInBulk } : undefined}
        empty={{
          title: t('empty.title'),
          text: t('empty.text'),
          action: (
            <>
              {bring}
              {add}
            </>
          ),
        }}
      />
    </Page>
  );
}

/** The same list as CSV: the server streams every match. */
function Export() {
  const { t } = useTranslation('recipient');
  const { searchStr: search } = useListAddress();
  return (
    <Button component="a" variant="default" href={exportAddress(search)} download leftSection={<IconDownload size={17} aria-hidden />}>
      {t('export')}
    </Button>
  );
}
