import { Sections } from '@shell';
import { useTranslation } from 'react-i18next';

/** The pages about the seller. */
export function SellerSections() {
  const { t } = useTranslation('business');
  return (
    <Sections
      of={[
        { to: '/ai/businesses', label: t('sections.businesses') },
        { to: '/ai/businesses/profiles', label: t('sections.communication') },
        { to: '/ai/businesses/languages', label: t('sections.languages') },
        { to: '/ai/businesses/start', label: t('sections.start') },
      ]}
    />
  );
}
