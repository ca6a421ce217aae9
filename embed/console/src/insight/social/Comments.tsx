import { Page } from '@shell';
import { useTranslation } from 'react-i18next';
import { CommentList } from './CommentList';
import { SocialSections } from './sections';

/** Comments below posts of all accounts. */
export default function Comments() {
  const { t } = useTranslation('insight', { keyPrefix: 'social' });
  return (
    <Page title={t('sections.comments')} lead={t('lead')}>
      <SocialSections />
      <CommentList />
    </Page>
  );
}
