import { Button } from '@mantine/core';
import { useAction, useCan } from '@shell';
import { IconBrandFacebook, IconBrandYoutube, IconCamera } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Networks } from './types';

/** Leads to the consent page of a network. */
export function Connect({ network, variant = 'default', children }: { network: Networks; variant?: string; children?: string }) {
  const { t } = useTranslation('channel');
  const can = useCan();
  const go = (answer: { authorization_url: string }) => window.location.assign(answer.authorization_url);
  const photo = useAction('post', '/channels/instagram/connect', { then: go });
  const page = useAction('post', '/channels/facebook/connect', { then: go });
  const video = useAction('post', '/channels/youtube/connect', { then: go });
  const ask = { PHOTO_NETWORK: photo, PAGE_NETWORK: page, VIDEO_NETWORK: video }[network];
  const Icon = { PHOTO_NETWORK: IconCamera, PAGE_NETWORK: IconBrandFacebook, VIDEO_NETWORK: IconBrandYoutube }[network];
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
