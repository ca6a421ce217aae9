import { Badge, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { asApiError } from '../api/error';
import { mayLeave } from '../page/leave';
import { showProblem } from '../page/notify';
import { switchOrganization, useMe } from '../session/me';
import { OrganizationButton } from './MenuButtons';
import { useNavigate } from '../link';

/** The way to the other organizations of the person. */
export function OrganizationMenu({ opened }: { opened: boolean }) {
  const { t } = useTranslation('shell');
  const { organization, organizations } = useMe();
  const navigate = useNavigate();
  if (!organization) return null;
  const choose = async (id: string) => {
    if (!(await mayLeave())) return;
    await switchOrganization(id);
    await navigate({ to: '/' });
  };
  return (
    <Menu position="bottom-start" width={260} defaultOpened={opened}>
      <Menu.Target>
        <OrganizationButton />
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
