// Sign-in over the page when the session ended in the middle of something. It is
// loaded when that happens: a page that is never left alone never needs it.
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client';
import { Dialog } from '../page/Dialog';
import { gate } from './gate';
import { adoptMe, type Me } from './me';
import { SignIn } from './SignIn';

/** Sign-in over the page: what is typed below stays as it is. */
export default function SignInAgain({ me }: { me: Me }) {
  const { t } = useTranslation('shell');
  return (
    <Dialog onClose={() => {}} firm title={t('signin.again')} zIndex={1000}>
      <Text mb="md">{t('signin.againText')}</Text>
      <SignIn email={me.user?.email} onDone={(now) => void resume(me, now)} />
    </Dialog>
  );
}

/**
 * Somebody signed in again. Another person must not send what this one typed, so the
 * page begins anew then. The same person goes on where he was: in the organization
 * whose page is open.
 */
async function resume(before: Me, now: Me): Promise<void> {
  if (now.user?.id !== before.user?.id) {
    location.assign('/console/');
    return;
  }
  const org = before.organization?.id;
  if (org && now.organization?.id !== org) {
    try {
      now = await call('post', '/me/switch-organization', { body: { organization_id: org } });
    } catch {
      location.assign('/console/'); // no longer a member there
      return;
    }
  }
  adoptMe(now);
  gate.open();
}
