import { showFound, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import { type Proxy, proxyName } from '../name';

/** Says what a check found, on whatever page it was asked for. */
export function useFound() {
  const { t } = useTranslation('account');
  return (p: Proxy) => {
    const ok = p.status === 'ACTIVE';
    const message = ok
      ? t('proxy.works', { name: proxyName(p), ms: p.latency_ms ?? 0 })
      : `${proxyName(p)}: ${t(`proxyMeans.${p.status as Exclude<Proxy['status'], 'ACTIVE'>}`)}`;
    showFound(`proxy.${p.id}`, ok, message);
  };
}

export function useProxyCheck() {
  return useAction('post', '/proxies/{id}/check', { stale: ['/proxies', '/accounts'], then: useFound() });
}
