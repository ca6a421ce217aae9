import { Text } from '@mantine/core';
import { Confirm, Copy, type Schema, useAction, useMe } from '@shell';
import { PasswordLink } from '@kit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

type User = Schema<'AdminUser'>;

/**
 * A lost password is given back with a link to hand over. Commands on the server are the way where a link
 * is not enough: nobody can sign in, or the telephone with the codes is lost too.
 */
export default function LostAccess({ user: u, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const self = useMe().user?.id === u.id;
  const [link, setLink] = useState<Schema<'SessionResetLink'>>();
  const make = useAction('post', '/admin/users/{id}/password-reset', { stale: ['/admin/audit-logs'], then: setLink });
  const name = u.name || u.email;
  if (link) return <PasswordLink name={name} link={link} onClose={onClose} />;
  const byLink = u.status === 'ACTIVE' && !self;
  return (
    <Confirm
      title={t('user.lostTitle', { name })}
      act={t(byLink ? 'user.makeLink' : 'user.understood')}
      pending={make.pending}
      onConfirm={() => (byLink ? void make.run({ path: { id: u.id } }) : onClose())}
      onClose={onClose}
      consequence={t(byLink ? 'user.linkText' : 'user.noLink', { name })}
    >
      <Text size="sm">{t('user.lostText')}</Text>
      <Text size="sm">{t('user.lostPassword')}</Text>
      <Copy value={`svc admin reset-password ${u.email}`} />
      <Text size="sm">{t('user.lostPhone')}</Text>
      <Copy value={`svc admin reset-password ${u.email} --two-factor`} />
    </Confirm>
  );
}
