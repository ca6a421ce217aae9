import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Dialog, useAction, useCan, useNavigate } from '@shell';
import { IconBrandYoutube } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Connect } from './Connect';

/** Adds a channel of the video network: a public one by a link, or an own one by a sign-in. */
export function AddVideo() {
  const { t } = useTranslation('channel');
  const can = useCan();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [url, setUrl] = useState('');
  const add = useAction('post', '/channels/youtube/accounts', {
    stale: ['/channels/accounts'],
    then: (c) => void navigate({ to: `/channels/${c.id}` as never }),
  });
  if (!can('accounts:manage')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconBrandYoutube size={17} aria-hidden />} onClick={() => setOpen(true)}>
        {t('video.add')}
      </Button>
      {open && (
        <Dialog onClose={() => setOpen(false)} title={t('video.add')}>
          <form
            onSubmit={(e) => {
              e.preventDefault();
              void add.run({ body: { url: url.trim() } });
            }}
            noValidate
          >
            <Stack>
              <TextInput
                label={t('video.link')}
                description={t('video.hint')}
                placeholder="https://www.youtube.com/@…"
                maxLength={300}
                data-autofocus
                value={url}
                onChange={(e) => setUrl(e.currentTarget.value)}
              />
              <Group justify="flex-end">
                <Button type="submit" loading={add.pending} disabled={url.trim() === ''}>
                  {t('video.act')}
                </Button>
              </Group>
              <Text size="sm" c="dimmed">
                {t('video.own')}
              </Text>
              <Connect network="VIDEO_NETWORK" />
            </Stack>
          </form>
        </Dialog>
      )}
    </>
  );
}
