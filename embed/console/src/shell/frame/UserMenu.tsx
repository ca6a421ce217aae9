import { Menu, Text, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconLogout, IconMoon, IconShieldLock, IconSun, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Href } from '../addresses';
import { mayLeave } from '../page/leave';
import { showProblem } from '../page/notify';
import { asApiError } from '../api/error';
import { signOut, useMe } from '../session/me';
import { TwoFactor } from '../session/TwoFactor';
import { LanguageItems } from './LanguageMenu';
import { UserButton } from './MenuButtons';
import { Shortcuts } from './Shortcuts';
import { Link } from '../link';

const schemes = [
  ['auto', IconDeviceDesktop],
  ['light', IconSun],
  ['dark', IconMoon],
] as const;

/** The person: profile, language, theme, signing out. */
export function UserMenu({ profile, opened }: { profile?: Href; opened: boolean }) {
  const { t } = useTranslation('shell');
  const { user } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [enrolling, setEnrolling] = useState(false);
  const leave = async () => {
    if (await mayLeave()) await signOut();
  };
  const name = user?.name || user?.email || '';
  return (
    <>
      <Shortcuts />
      <Menu position="bottom-end" width={250} returnFocus defaultOpened={opened}>
        <Menu.Target>
          <UserButton />
        </Menu.Target>
        <Menu.Dropdown>
          <Text px="sm" pt={6} fw={600} truncate>
            {name}
          </Text>
          <Text px="sm" pb={6} size="xs" c="dimmed" truncate>
            {user?.email}
          </Text>
          {profile && (
            <Menu.Item component={Link} to={profile} leftSection={<IconUser size={16} aria-hidden />}>
              {t('user.profile')}
            </Menu.Item>
          )}
          {!user?.mfa_enabled && (
            <Menu.Item leftSection={<IconShieldLock size={16} aria-hidden />} onClick={() => setEnrolling(true)}>
              {t('user.twofactor')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Label>{t('language')}</Menu.Label>
          <LanguageItems />
          <Menu.Divider />
          <Menu.Label>{t('theme.title')}</Menu.Label>
          {schemes.map(([scheme, SchemeIcon]) => (
            <Menu.Item
              key={scheme}
              leftSection={<SchemeIcon size={16} aria-hidden />}
              aria-current={colorScheme === scheme || undefined}
              fw={colorScheme === scheme ? 650 : undefined}
              onClick={() => setColorScheme(scheme)}
            >
              {t(`theme.${scheme}`)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => void leave().catch((e: unknown) => showProblem(asApiError(e)))}
          >
            {t('user.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {enrolling && <TwoFactor onClose={() => setEnrolling(false)} />}
    </>
  );
}
