import { Button } from '@mantine/core';
import { Empty, Page, TwoFactor, useMe } from '@shell';
import { IconShieldLock } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * A page for administrators of the platform: before two-factor is on, every operation
 * of it would be refused, so the page leads there instead, and shows itself afterwards.
 */
export function administrators(Content: ComponentType): ComponentType {
  return function Guarded() {
    const me = useMe();
    const [opened, setOpened] = useState(false); // the dialog stays until its recovery codes are kept
    return me.user?.mfa_enabled && me.mfa_verified && !opened ? <Content /> : <Enrol opened={opened} onOpen={setOpened} />;
  };
}

function Enrol({ opened, onOpen }: { opened: boolean; onOpen: (open: boolean) => void }) {
  const { t } = useTranslation('admin');
  return (
    <Page title={t('guard.title')}>
      <Empty
        icon={<IconShieldLock size={32} stroke={1.4} aria-hidden />}
        title={t('guard.what')}
        text={t('guard.why')}
        action={<Button onClick={() => onOpen(true)}>{t('guard.act')}</Button>}
      />
      {opened && <TwoFactor onClose={() => onOpen(false)} />}
    </Page>
  );
}
