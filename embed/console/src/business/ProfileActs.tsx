import { ActionIcon, Menu } from '@mantine/core';
import { Confirm, Tag, useAction, useCan } from '@shell';
import { IconCopy, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  kind: 'communication' | 'language';
  profile: { id: string; name: string; is_builtin: boolean };
  onEdit: () => void;
}

/** The name of a profile in the language of the console: that of a built-in one is translated. */
export function profileName(t: TFunction<'business'>, p: Omit<Props['profile'], 'id'>): string {
  return p.is_builtin ? t(`manner.builtin.${p.name}`, { defaultValue: p.name }) : p.name;
}

/** The name of a profile, and whether it is built in. */
export function ProfileName({ of: p }: { of: Props['profile'] }) {
  const { t } = useTranslation('business');
  return (
    <>
      {profileName(t, p)} {p.is_builtin && <Tag>{t('builtin')}</Tag>}
    </>
  );
}

/** What is done with a profile: a built-in one is copied, one of one's own is changed too. */
export function ProfileActs({ kind, profile: p, onEdit }: Props) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [asked, setAsked] = useState(false);
  const path = `/ai/${kind}-profiles` as const;
  const o = { stale: [path] };
  const copy = useAction('post', `${path}/{id}/copy`, { ...o, done: t('profile.copied') });
  const remove = useAction('delete', `${path}/{id}`, { ...o, done: t('profile.removed'), then: () => setAsked(false) });
  if (!may) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`${t('more')}: ${profileName(t, p)}`}>
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!p.is_builtin && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
              {t('edit')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => void copy.run({ path: { id: p.id }, body: {} } as never)}
          >
            {t('profile.copy')}
          </Menu.Item>
          {!p.is_builtin && (
            <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)}>
              {t('delete.act')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <Confirm
          danger
          title={t('profile.removeTitle', { name: p.name })}
          consequence={t('profile.removeConsequence')}
          act={t('delete.act')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: p.id } } as never)}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
