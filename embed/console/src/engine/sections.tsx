import { Sections } from '@shell';
import { useTranslation } from 'react-i18next';

/** The pages about the AI engine. */
export function EngineSections() {
  const { t } = useTranslation('engine');
  return (
    <Sections
      of={[
        { to: '/ai/providers', label: t('sections.providers') },
        { to: '/ai/agents', label: t('sections.agents') },
        { to: '/ai/prompts', label: t('sections.prompts') },
        { to: '/ai/executions', label: t('sections.executions') },
        { to: '/ai/budgets', label: t('sections.budgets') },
        { to: '/ai/jev', label: t('jev.title') },
      ]}
    />
  );
}
