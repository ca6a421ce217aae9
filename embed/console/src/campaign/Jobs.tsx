import { Page } from '@shell';
import { useTranslation } from 'react-i18next';
import { JobTable } from './JobTable';

/** Every message on its way, of campaigns, tests and replies. */
export default function Jobs() {
  const { t } = useTranslation('campaign');
  return (
    <Page title={t('jobs.title')} lead={t('jobs.lead')}>
      <JobTable />
    </Page>
  );
}
