import { Button } from '@mantine/core';
import { type Column, Confirm, List, NamedThing, Page, type Schema, Status, useAction, useCan, useNavigate, When } from '@shell';
import { IconUserPlus } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Invite } from './Invite';
import { TeamSections } from './sections';

type Invitation = Schema<'OrgShownInvitation'>;

/** Who was invited, and what became of it. */
export default function Invitations() {
  const { t } = useTranslation('org');
  const can = useCan();
  const navigate = useNavigate();
  const open = useRouterState({ select: (s) => 'new' in s.location.search });
  const setOpen = (on: boolean) => void navigate({ to: '/members/invitations', search: (on ? { new: '1' } : {}) as never, replace: true });
  const [asked, setAsked] = useState<Invitation>();
  const columns = useColumns(setAsked);
  const add = can('members:manage') && (
    <Button leftSection={<IconUserPlus size={17} aria-hidden />} onClick={() => setOpen(true)}>
      {t('invitations.add')}
    </Button>
  );
  return (
    <Page title={t('invitations.title')} lead={t('invitations.lead')} actions={add}>
      <TeamSections />
      <List
        path="/invitations"
        label={t('invitations.title')}
        columns={columns}
        sort="-created_at"
        name={(i) => i.email}
        empty={{ title: t('invitations.empty'), text: t('invitations.lead'), action: add }}
      />
      {open && can('members:manage') && <Invite onClose={() => setOpen(false)} />}
      {asked && <Revoke invitation={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function useColumns(ask: (i: Invitation) => void): Column<Invitation>[] {
  const { t } = useTranslation(['org', 'shell']);
  const can = useCan();
  return useMemo(
    () => [
      { key: 'email', title: t('invitations.email'), render: (i) => i.email },
      { key: 'role', title: t('members.role'), render: (i) => t(`shell:role.${i.role}`) },
      {
        key: 'status',
        title: t('invitations.status'),
        render: (i) => <Status state={i.status} label={t(`invitations.state.${i.status}`)} />,
      },
      {
        key: 'until',
        title: t('invitations.until'),
        render: (i) => (i.status === 'ACCEPTED' ? <When at={i.accepted_at} /> : <When at={i.expires_at} />),
      },
      { key: 'by', title: t('invitations.by'), from: 'md', render: (i) => <NamedThing of={i.inviter} /> },
      { key: 'created', title: t('invitations.created'), sort: 'created_at', from: 'md', render: (i) => <When at={i.created_at} /> },
      {
        key: 'act',
        title: '',
        align: 'right',
        render: (i) =>
          i.status === 'PENDING' &&
          can('members:manage') && (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => ask(i)}
              aria-label={t('invitations.revokeNamed', { email: i.email })}
            >
              {t('invitations.revoke')}
            </Button>
          ),
      },
    ],
    [t, can, ask],
  );
}

function Revoke({ invitation: i, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { t } = useTranslation('org');
  const revoke = useAction('delete', '/invitations/{id}', {
    stale: ['/invitations'],
    done: t('invitations.revoked', { email: i.email }),
    then: onClose,
  });
  return (
    <Confirm
      danger
      title={t('invitations.revokeTitle', { email: i.email })}
      consequence={t('invitations.revokeConsequence')}
      act={t('invitations.revoke')}
      pending={revoke.pending}
      onConfirm={() => void revoke.run({ path: { id: i.id } })}
      onClose={onClose}
    />
  );
}
