import { Page } from '@shell';
import { useTranslation } from 'react-i18next';
import { CommentList } from './CommentList';
import { SocialSections } from './sections';

/** Comments below posts of all accounts. */
export default function Comments() {
  const { t } = useTranslation('insight');
  return (
    <Page title={t('social.sections.comments')} lead={t('social.lead')}>
      <SocialSections />
      <CommentList />
    </Page>
  );
}
