import { Sections } from '@shell';
import { useTranslation } from 'react-i18next';

/** The pages about insights. */
export function InsightSections() {
  const { t } = useTranslation('insight');
  return (
    <Sections
      of={[
        { to: '/ai/insights', label: t('sections.boards') },
        { to: '/ai/insights/cases', label: t('sections.cases') },
        { to: '/ai/insights/past', label: t('sections.past') },
        { to: '/ai/social', label: t('sections.social') },
      ]}
    />
  );
}
