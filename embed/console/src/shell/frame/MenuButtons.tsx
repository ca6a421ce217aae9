// The buttons that open the menus of the frame: they are drawn at once, and stand for their menus until those are there.
import { Button, type ButtonProps, Text, UnstyledButton } from '@mantine/core';
import { IconBriefcase, IconBuilding, IconCode, IconMap2, IconSelector, IconShieldCog, IconUser } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { Area } from '../feature';
import { useMe } from '../session/me';
import classes from './Navigation.module.css';

type Native = Omit<ComponentProps<'button'>, keyof ButtonProps>;

export const areaIcons = { work: IconBriefcase, organization: IconBuilding, developers: IconCode, map: IconMap2, platform: IconShieldCog };

export function UserButton(props: Native) {
  const { t } = useTranslation('shell/frame');
  const { user } = useMe();
  return (
    <UnstyledButton aria-label={t('user.menu', { name: user?.name || user?.email || '' })} {...props}>
      <span className={classes.person}>
        <IconUser size={20} aria-hidden />
      </span>
    </UnstyledButton>
  );
}

/** The name of the organization that the pages are about. */
export function OrganizationName() {
  const { t } = useTranslation('shell/frame');
  const { organization } = useMe();
  return organization ? (
    <Text span fw={600} size="sm" truncate maw={{ base: 150, xs: 220 }}>
      {organization.name}
    </Text>
  ) : (
    <Text size="sm" c="dimmed">
      {t('organization.none')}
    </Text>
  );
}

export function OrganizationButton(props: Native) {
  const { t } = useTranslation('shell/frame');
  const { organization } = useMe();
  return (
    <Button
      variant="default"
      size="compact-md"
      rightSection={<IconSelector size={16} aria-hidden />}
      aria-label={t('organization.switch', { name: organization?.name })}
      {...props}
    >
      <OrganizationName />
    </Button>
  );
}

export function AreasButton({ open, ...props }: Native & { open: Area }) {
  const { t } = useTranslation('shell/frame');
  const Icon = areaIcons[open];
  const name = t(`area.${open}`);
  return (
    <Button
      variant="default"
      fullWidth
      justify="space-between"
      mb="xs"
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      rightSection={<IconSelector size={16} aria-hidden />}
      aria-label={t('areaOpen', { name })}
      className={classes.areas}
      {...props}
    >
      {name}
    </Button>
  );
}
