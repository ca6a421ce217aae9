import { Sections } from '@shell';
import { useTranslation } from 'react-i18next';

export function EventSections() {
  const { t } = useTranslation('event');
  return (
    <Sections
      of={[
        { to: '/events', label: t('history') },
        { to: '/events/live', label: t('live.title') },
        { to: '/events/types', label: t('types.title') },
      ]}
    />
  );
}
