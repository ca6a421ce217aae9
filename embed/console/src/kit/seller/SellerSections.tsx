import { Sections } from '@shell';
import { useTranslation } from 'react-i18next';

/** The pages about the seller, of whichever part of the console they are. */
export function SellerSections() {
  const { t } = useTranslation('kit');
  return (
    <Sections
      of={[
        { to: '/ai/businesses', label: t('seller.businesses') },
        { to: '/ai/businesses/leads', label: t('seller.leads') },
        { to: '/ai/businesses/results', label: t('seller.results') },
        { to: '/ai/businesses/research', label: t('seller.research') },
        { to: '/ai/businesses/profiles', label: t('seller.communication') },
        { to: '/ai/businesses/languages', label: t('seller.languages') },
        { to: '/ai/businesses/start', label: t('seller.start') },
      ]}
    />
  );
}
