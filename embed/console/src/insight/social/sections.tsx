import { Sections } from '@shell';
import { useTranslation } from 'react-i18next';

/** The pages about what accounts show to the public. */
export function SocialSections() {
  const { t } = useTranslation('insight');
  return (
    <Sections
      of={[
        { to: '/ai/insights', label: t('social.sections.insights') },
        { to: '/ai/social', label: t('social.sections.boards') },
        { to: '/ai/social/posts', label: t('social.sections.posts') },
        { to: '/ai/social/comments', label: t('social.sections.comments') },
      ]}
    />
  );
}
