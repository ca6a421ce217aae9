// What everybody must know at once, whatever page is open.
import { Button, Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconEye, IconFlask, IconLockPause, IconPlugConnectedX, IconTool, IconWifiOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/action';
import { useGet } from '../api/query';
import { useStreamState } from '../events/Events';
import { useMe, useSupport } from '../session/me';
import { tellTabs } from '../session/tabs';

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
  useSupportProbe();
  return (
    <div role="status">
      {support && <Support name={me.organization?.name ?? ''} />}
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

/** The look of support at an organization: it names whose data this is, and ends it. */
function Support({ name }: { name: string }) {
  const { t } = useTranslation('shell/frame');
  const home = () => {
    tellTabs();
    location.assign('/console/');
  };
  const end = useAction('post', '/me/support/end', { then: home, failed: (e) => e.code === 'not_in_support_session' && (home(), true) });
  return (
    <Group gap="sm" wrap="nowrap" px="md" py={8} role="alert" bg="#a61b12" c="white">
      <IconEye size={20} aria-hidden style={{ flex: 'none' }} />
      <Group justify="space-between" gap="xs" flex={1}>
        <Text fw={600}>{t('banner.support', { name })}</Text>
        <Button variant="white" color="dark" size="compact-sm" loading={end.pending} onClick={() => void end.run({} as never)}>
          {t('banner.endSupport')}
        </Button>
      </Group>
    </Group>
  );
}

/** Whether messages reach nobody, because the service sends through the simulator. */
export function useSimulator(): boolean {
  const { data: config } = useGet('/public/config', {});
  return config?.messenger === 'SIMULATOR';
}

/**
 * Who administers the platform and looks as support at an organization of their own is told so by
 * nothing but a refusal (session/support.ts): something is asked for that support may not read.
 */
function useSupportProbe(): void {
  const { user, mfa_verified: verified, organization, organizations } = useMe();
  const own = organizations.some((o) => o.organization.id === organization?.id);
  const support = useSupport();
  useGet('/admin/system', {}, { enabled: Boolean(user?.is_platform_admin && verified) && own && !support });
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
