import { showFound, useAction } from '@shell';
import { useTranslation } from 'react-i18next';

/** Asks the messenger now whether it answers for this account, and says what came of it. */
export function useCheck(id: string) {
  const { t } = useTranslation('account');
  return useAction('post', '/accounts/{id}/check', {
    stale: ['/accounts', '/dashboard'],
    then(found) {
      const message = found.ok ? t('check.ok', { ms: found.latency_ms ?? 0 }) : t('check.failed', { state: t(`state.${found.status}`) });
      showFound(`check.${id}`, found.ok, message);
    },
  });
}
