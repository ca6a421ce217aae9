import { Tag } from '@shell';
import { useTranslation } from 'react-i18next';

/** Says that the demo model wrote something, no language model did. */
export function DemoMark() {
  const { t } = useTranslation('inbox');
  return (
    <span title={t('demoHint')} data-demo>
      <Tag>{t('demo')}</Tag>
    </span>
  );
}
