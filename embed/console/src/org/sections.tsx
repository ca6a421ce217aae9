import { type Href, Sections, useCan } from '@shell';
import { useTranslation } from 'react-i18next';

/** The pages about the organization that the person may open. */
export function SettingsSections() {
  const { t } = useTranslation('org');
  const can = useCan();
  const all: { to: Href; label: string; show: boolean }[] = [
    { to: '/settings', label: t('settings.short'), show: true },
    { to: '/settings/usage', label: t('usage.title'), show: can('billing:read') },
    { to: '/settings/policy', label: t('policy.title'), show: true },
    { to: '/settings/support', label: t('support.title'), show: can('audit:read') },
  ];
  return <Sections of={all.filter((s) => s.show)} />;
}

export function TeamSections() {
  const { t } = useTranslation('org');
  return (
    <Sections
      of={[
        { to: '/members', label: t('members.title') },
        { to: '/members/invitations', label: t('invitations.title') },
        { to: '/members/roles', label: t('roles.title') },
      ]}
    />
  );
}
