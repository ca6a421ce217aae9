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
    return me.user?.mfa_enabled && me.mfa_verified ? <Content /> : <Enrol />;
  };
}

function Enrol() {
  const { t } = useTranslation('admin');
  const [opened, setOpened] = useState(false);
  return (
    <Page title={t('guard.title')}>
      <Empty icon={<IconShieldLock size={32} stroke={1.4} aria-hidden />} title={t('guard.what')} text={t('guard.why')} action={<Button onClick={() => setOpened(true)}>{t('guard.act')}</Button>} />
      {opened && <TwoFactor onClose={() => setOpened(false)} />}
    </Page>
  );
}
