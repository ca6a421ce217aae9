import { Button, Menu } from '@mantine/core';
import { Link, Secret, useAction, useCan } from '@shell';
import { IconDots, IconHistory, IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Webhook } from './health';
import { Delete, Disable, Enable, Recover, Rotate } from './Questions';

type Question = 'rotate' | 'recover' | 'disable' | 'enable' | 'delete';

export function Actions({ webhook: w }: { webhook: Webhook }) {
  const { t } = useTranslation('hook');
  const can = useCan();
  const [asked, setAsked] = useState<Question>();
  const [secret, setSecret] = useState<string>();
  const test = useAction('post', '/webhooks/{id}/test', { stale: ['/webhooks', '/events'], done: t('test.done') });
  if (!can('webhooks:manage')) return null;
  const close = () => setAsked(undefined);
  const active = w.status === 'ACTIVE';
  return (
    <>
      {active && (
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={test.pending}
          onClick={() => void test.run({ path: { id: w.id } })}
        >
          {t('test.act')}
        </Button>
      )}
      <Button variant="default" component={Link} to={`/webhooks/${w.id}/edit`} leftSection={<IconPencil size={16} aria-hidden />}>
        {t('edit.open')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={t('more')}>
            <IconDots size={17} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setAsked('recover')}>
            {t(active ? 'recover.act' : 'recover.actOn')}
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setAsked('rotate')}>
            {t('rotate.act')}
          </Menu.Item>
          {active ? (
            <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setAsked('disable')}>
              {t('disable.act')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setAsked('enable')}>
              {t('enable.act')}
            </Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked('delete')}>
            {t('delete.act')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'rotate' && (
        <Rotate
          webhook={w}
          onClose={close}
          onMade={(s) => {
            close();
            setSecret(s);
          }}
        />
      )}
      {asked === 'recover' && <Recover webhook={w} onClose={close} />}
      {asked === 'disable' && <Disable webhook={w} onClose={close} />}
      {asked === 'enable' && <Enable webhook={w} onClose={close} />}
      {asked === 'delete' && <Delete webhook={w} onClose={close} />}
      {secret && <Secret title={t('secret.new')} value={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
