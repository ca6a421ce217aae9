import { Button, Menu } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, languageNames, languages, setLanguage } from '../language/i18n';

/** Changes the language at once. */
export function LanguageMenu() {
  const { t } = useTranslation('shell');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" leftSection={<IconLanguage size={16} aria-hidden />} title={t('language')}>
          {languageNames[currentLanguage()]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <LanguageItems />
      </Menu.Dropdown>
    </Menu>
  );
}

export function LanguageItems() {
  return languages.map((l) => (
    <Menu.Item
      key={l}
      lang={l}
      aria-current={l === currentLanguage() || undefined}
      fw={l === currentLanguage() ? 650 : undefined}
      onClick={() => void setLanguage(l)}
    >
      {languageNames[l]}
    </Menu.Item>
  ));
}
