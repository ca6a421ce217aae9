import { Button } from '@mantine/core';
import { useAction, useCan } from '@shell';
import { IconBrandFacebook, IconCamera } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Networks } from './types';

/** Leads to the consent page of a network. */
export function Connect({ network, variant = 'default', children }: { network: Networks; variant?: string; children?: string }) {
  const { t } = useTranslation('channel');
  const can = useCan();
  const go = (answer: { authorization_url: string }) => window.location.assign(answer.authorization_url);
  const photo = useAction('post', '/channels/instagram/connect', { then: go });
  const page = useAction('post', '/channels/facebook/connect', { then: go });
  const ask = network === 'PHOTO_NETWORK' ? photo : page;
  const Icon = network === 'PHOTO_NETWORK' ? IconCamera : IconBrandFacebook;
  if (!can('accounts:manage')) return null;
  return (
    <Button
      variant={variant}
      loading={ask.pending}
      leftSection={<Icon size={17} aria-hidden />}
      onClick={() => void ask.run({ body: { return_to: '/console/channels' } })}
    >
      {children ?? t(`connect.${network}`)}
    </Button>
  );
}
