import { Confirm, type Schema, useAction } from '@shell';
import { PasswordLink } from '@kit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Member, memberName } from './member';

/** Makes a link with which a member chooses a new password; whoever makes it hands it over. */
export default function ResetPassword({ member: m, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTranslation('org');
  const [link, setLink] = useState<Schema<'SessionResetLink'>>();
  const make = useAction('post', '/members/{id}/password-reset', { then: setLink });
  const name = memberName(m);
  if (link) return <PasswordLink name={name} link={link} onClose={onClose} />;
  return (
    <Confirm
      title={t('members.resetTitle', { name })}
      consequence={t('members.resetConsequence', { name })}
      act={t('members.resetMake')}
      pending={make.pending}
      onConfirm={() => void make.run({ path: { id: m.id } })}
      onClose={onClose}
    />
  );
}
