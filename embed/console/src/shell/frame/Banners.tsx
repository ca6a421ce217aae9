// What everybody must know at once, whatever page is open.
import { Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconFlask, IconLockPause, IconPlugConnectedX, IconTool, IconWifiOff } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { late } from '../api/part';
import { useGet } from '../api/query';
import { useStreamState } from '../events/Events';
import { useMe, useSupport } from '../session/me';

/** Few ever see it: it is not in the first load. */
const SupportBanner = late(() => import('./SupportBanner'));

/** A stream that reconnects within this says nothing. */
const patience = 4000;

export function Banners() {
  const { t } = useTranslation('shell/frame');
  const me = useMe();
  const { online } = useNetwork();
  const support = useSupport();
  const lost = useLasting(useStreamState() === 'lost', patience);
  const { data: config } = useGet('/public/config', {});
  const simulated = useSimulator();
  return (
    <div role="status">
      {support && (
        <Suspense>
          <SupportBanner name={me.organization?.name ?? ''} />
        </Suspense>
      )}
      {!online && (
        <Line color="orange" icon={<IconWifiOff size={18} aria-hidden />}>
          {t('banner.offline')}
        </Line>
      )}
      {online && lost && (
        <Line color="orange" icon={<IconPlugConnectedX size={18} aria-hidden />}>
          {t('banner.stream')}
        </Line>
      )}
      {config?.maintenance_mode && (
        <Line color="yellow" icon={<IconTool size={18} aria-hidden />}>
          {t('banner.maintenance')}
        </Line>
      )}
      {me.organization?.status === 'SUSPENDED' && (
        <Line color="red" icon={<IconLockPause size={18} aria-hidden />}>
          {t('banner.suspended')}
        </Line>
      )}
      {simulated && (
        <Line color="grape" icon={<IconFlask size={18} aria-hidden />}>
          {t('banner.simulator')}
        </Line>
      )}
    </div>
  );
}

function Line({ color, icon, children }: { color: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" px="md" py={6} fz="sm" bg={`var(--mantine-color-${color}-light)`}>
      <Text span c={`var(--mantine-color-${color}-light-color)`} display="flex">
        {icon}
      </Text>
      {children}
    </Group>
  );
}

/** Whether messages reach nobody, because the service sends through the simulator. */
export function useSimulator(): boolean {
  const { data: config } = useGet('/public/config', {});
  return config?.messenger === 'SIMULATOR';
}

/** True when on was true for so many milliseconds. */
function useLasting(on: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!on) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), ms);
    return () => clearTimeout(timer);
  }, [on, ms]);
  return lasting && on;
}
