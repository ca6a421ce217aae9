import { Sections } from '@shell';
import { useTranslation } from 'react-i18next';

/** The pages about what accounts show to the public. */
export function SocialSections() {
  const { t } = useTranslation('insight', { keyPrefix: 'social' });
  return (
    <Sections
      of={[
        { to: '/ai/insights', label: t('sections.insights') },
        { to: '/ai/social', label: t('sections.boards') },
        { to: '/ai/social/posts', label: t('sections.posts') },
        { to: '/ai/social/comments', label: t('sections.comments') },
      ]}
    />
  );
}
