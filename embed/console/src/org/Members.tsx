import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { Beside, type Column, late, Link, List, Page, Status, useCan, useMe, When } from '@shell';
import { IconDots, IconUserPlus } from '@tabler/icons-react';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Member, memberName } from './member';
import { ChangeRole, Remove } from './MemberActs';
import { roles } from './roles';
import { TeamSections } from './sections';

/** Few ever need it. */
const ResetPassword = late(() => import('./ResetPassword'));

type Act = 'role' | 'reset' | 'remove';

/** Who belongs to the organization, and in which role. */
export default function Members() {
  const { t } = useTranslation(['org', 'shell']);
  const can = useCan();
  const [asked, setAsked] = useState<{ act: Act; member: Member }>();
  const columns = useColumns((act, member) => setAsked({ act, member }));
  const filters = useMemo(
    () => [
      {
        kind: 'choice' as const,
        key: 'role',
        label: t('members.role'),
        options: roles.map((value) => ({ value, label: t(`shell:role.${value}`) })),
      },
    ],
    [t],
  );
  const invite = can('members:manage') && (
    <Button component={Link} to="/members/invitations?new=1" leftSection={<IconUserPlus size={17} aria-hidden />}>
      {t('invitations.add')}
    </Button>
  );
  const close = () => setAsked(undefined);
  return (
    <Page title={t('members.title')} lead={t('members.lead')} actions={invite}>
      <TeamSections />
      <List
        path="/members"
        label={t('members.title')}
        columns={columns}
        filters={filters}
        sort="created_at"
        name={memberName}
        empty={{ title: t('members.empty'), text: t('members.lead'), action: invite }}
      />
      {asked?.act === 'role' && <ChangeRole member={asked.member} onClose={close} />}
      {asked?.act === 'reset' && (
        <Suspense>
          <ResetPassword member={asked.member} onClose={close} />
        </Suspense>
      )}
      {asked?.act === 'remove' && <Remove member={asked.member} onClose={close} />}
    </Page>
  );
}

function useColumns(ask: (act: Act, m: Member) => void): Column<Member>[] {
  const { t } = useTranslation(['org', 'shell']);
  const { user } = useMe();
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('members.name'),
        render: (m) => (
          <>
            {memberName(m)}
            {m.user.id === user?.id && <Beside>{t('members.you')}</Beside>}
            {m.user.name && (
              <Text size="sm" c="dimmed">
                {m.user.email}
              </Text>
            )}
          </>
        ),
      },
      { key: 'role', title: t('members.role'), render: (m) => t(`shell:role.${m.role}`) },
      {
        key: 'two',
        title: t('members.two'),
        from: 'md',
        render: (m) => (
          <Status state={m.user.mfa_enabled ? 'OK' : 'WARN'} label={t(m.user.mfa_enabled ? 'members.twoOn' : 'members.twoOff')} />
        ),
      },
      {
        key: 'seen',
        title: t('members.seen'),
        render: (m) =>
          m.user.status === 'DISABLED' ? <Status state="DISABLED" label={t('members.disabled')} /> : <When at={m.user.last_login_at} />,
      },
      { key: 'joined', title: t('members.joined'), sort: 'created_at', from: 'md', render: (m) => <When at={m.created_at} /> },
      { key: 'act', title: '', align: 'right', render: (m) => <Acts member={m} ask={ask} /> },
    ],
    [t, user, ask],
  );
}

function Acts({ member: m, ask }: { member: Member; ask: (act: Act, m: Member) => void }) {
  const { t } = useTranslation('org');
  const can = useCan();
  const { role, user } = useMe();
  if (!can('members:manage') || (m.role === 'OWNER' && role !== 'OWNER')) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('members.more', { name: memberName(m) })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ask('role', m)}>{t('members.change')}</Menu.Item>
        {m.user.id !== user?.id && m.user.status === 'ACTIVE' && (
          <Menu.Item onClick={() => ask('reset', m)}>{t('members.reset')}</Menu.Item>
        )}
        <Menu.Item c="var(--mantine-color-error)" onClick={() => ask('remove', m)}>
          {t(m.user.id === user?.id ? 'members.leave' : 'members.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
