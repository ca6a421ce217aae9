import { Group, Text } from '@mantine/core';
import { Status } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Proxy } from '../name';

const colors = { UNREACHABLE: 'red', AUTH_FAILED: 'red', DISABLED: 'red' } as const;

export function ProxyState({ proxy: p }: { proxy: Proxy }) {
  const { t } = useTranslation('account');
  return <Status state={p.status} label={t(`proxyState.${p.status}`)} color={(colors as Record<string, string>)[p.status]} />;
}

/** What a state means for the accounts behind the proxy, and what to do. */
export function ProxyMeans({ proxy: p }: { proxy: Proxy }) {
  const { t } = useTranslation('account');
  if (p.status === 'ACTIVE') return null;
  return (
    <Group gap={4}>
      <Text size="sm">{t(`proxyMeans.${p.status}`)}</Text>
      {p.status === 'DISABLED' && p.disabled_reason && <Text size="sm">{t('adminReason', { reason: p.disabled_reason })}</Text>}
    </Group>
  );
}
