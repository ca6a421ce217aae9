import { Badge, Button, Menu, Text } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { asApiError } from '../api/error';
import { mayLeave } from '../page/leave';
import { showProblem } from '../page/notify';
import { switchOrganization, useMe, useSupport } from '../session/me';

/** Which organization the pages are about, and the way to the others. */
export function OrganizationMenu() {
  const { t } = useTranslation('shell');
  const { organization, organizations } = useMe();
  const support = useSupport();
  const navigate = useNavigate();
  if (!organization)
    return (
      <Text size="sm" c="dimmed">
        {t('organization.none')}
      </Text>
    );
  const label = (
    <Text span fw={600} size="sm" truncate maw={{ base: 120, xs: 220 }}>
      {organization.name}
    </Text>
  );
  if (organizations.length < 2 || support) return label;
  const choose = async (id: string) => {
    if (!(await mayLeave())) return;
    await switchOrganization(id);
    await navigate({ to: '/' });
  };
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-md"
          rightSection={<IconSelector size={16} aria-hidden />}
          aria-label={t('organization.switch', { name: organization.name })}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('organization.choose')}</Menu.Label>
        {organizations.map((m) => (
          <Menu.Item
            key={m.organization.id}
            aria-current={m.organization.id === organization.id || undefined}
            disabled={m.organization.id === organization.id}
            rightSection={<Badge>{t(`role.${m.role}`)}</Badge>}
            onClick={() => void choose(m.organization.id).catch((e: unknown) => showProblem(asApiError(e)))}
          >
            {m.organization.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
