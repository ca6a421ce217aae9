import { Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/action';
import { tellTabs } from '../session/tabs';

/** The look of support at an organization: it names whose data this is, and ends it. */
export default function SupportBanner({ name }: { name: string }) {
  const { t } = useTranslation('shell/frame');
  const home = () => {
    tellTabs();
    location.assign('/console/');
  };
  const end = useAction('post', '/me/support/end', { then: home, failed: (e) => e.code === 'not_in_support_session' && (home(), true) });
  return (
    <Group gap="sm" wrap="nowrap" px="md" py={8} role="alert" bg="#a61b12" c="white">
      <IconEye size={20} aria-hidden style={{ flex: 'none' }} />
      <Group justify="space-between" gap="xs" flex={1}>
        <Text fw={600}>{t('banner.support', { name })}</Text>
        <Button variant="white" color="dark" size="compact-sm" loading={end.pending} onClick={() => void end.run({} as never)}>
          {t('banner.endSupport')}
        </Button>
      </Group>
    </Group>
  );
}
