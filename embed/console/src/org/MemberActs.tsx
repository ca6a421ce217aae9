// Changing the role of a member, and taking one out.
import { Alert, Radio, Stack } from '@mantine/core';
import { Confirm, Dialog, refresh, useAction, useGet, useMe } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Member, memberName } from './member';
import { givable, type Role } from './roles';

/** Whether this is the only owner: an organization keeps one. */
function useLastOwner(m: Member): boolean | undefined {
  const { data } = useGet('/members', { query: { role: 'OWNER', limit: 2 } }, { enabled: m.role === 'OWNER' });
  return m.role === 'OWNER' ? data && data.total < 2 : false;
}

function LastOwner({ title, onClose }: { title: string; onClose: () => void }) {
  const { t } = useTranslation('org');
  return (
    <Dialog onClose={onClose} title={title}>
      <Alert color="yellow">{t('members.lastOwner')}</Alert>
    </Dialog>
  );
}

export function ChangeRole({ member: m, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTranslation(['org', 'shell']);
  const me = useMe();
  const [role, setRole] = useState<Role>(m.role);
  const last = useLastOwner(m);
  const self = m.user.id === me.user?.id;
  const change = useAction('patch', '/members/{id}', {
    stale: ['/members', '/me'],
    done: t('members.changed', { name: memberName(m), role: t(`shell:role.${role}`) }),
    then: onClose,
  });
  const title = t('members.changeTitle', { name: memberName(m) });
  if (last === undefined) return null;
  if (last) return <LastOwner title={title} onClose={onClose} />;
  return (
    <Confirm
      title={title}
      act={t('members.change')}
      consequence={t(self ? 'members.changeSelf' : 'members.changeConsequence')}
      pending={change.pending}
      onConfirm={() => (role === m.role ? onClose() : void change.run({ path: { id: m.id }, body: { role } }))}
      onClose={onClose}
    >
      <Radio.Group value={role} onChange={(v) => setRole(v as Role)} label={t('members.role')}>
        <Stack gap="xs" mt={6}>
          {givable(me.role).map((r) => (
            <Radio key={r} value={r} label={t(`shell:role.${r}`)} description={t(`roles.about.${r}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </Confirm>
  );
}

export function Remove({ member: m, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTranslation('org');
  const me = useMe();
  const last = useLastOwner(m);
  const self = m.user.id === me.user?.id;
  const name = memberName(m);
  const remove = useAction('delete', '/members/{id}', {
    done: self ? undefined : t('members.removed', { name }),
    then() {
      if (self) location.assign('/console/');
      else void refresh('/members').then(onClose);
    },
  });
  const org = me.organization?.name ?? '';
  const title = self ? t('members.leaveTitle', { org }) : t('members.removeTitle', { name });
  if (last === undefined) return null;
  if (last) return <LastOwner title={title} onClose={onClose} />;
  return (
    <Confirm
      danger
      title={title}
      consequence={self ? t('members.leaveConsequence', { org }) : t('members.removeConsequence', { name, org })}
      act={t(self ? 'members.leave' : 'members.remove')}
      pending={remove.pending}
      onConfirm={() => void remove.run({ path: { id: m.id } })}
      onClose={onClose}
    />
  );
}
