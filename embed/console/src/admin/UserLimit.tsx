import { NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, type Schema, useAction } from '@shell';
import { useTranslation } from 'react-i18next';

type User = Schema<'AdminUser'>;

/** How many organizations everybody may own, and the most that an administrator may allow. */
const everybody = 3;
const most = 100;

/** How many organizations a person owns now. */
export const ownedBy = (u: Pick<User, 'organizations'>): number => u.organizations.filter((o) => o.role === 'OWNER').length;

/** Asks how many organizations a person may own; an empty field is what everybody may. */
export function UserLimit({ user: u, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const name = u.name || u.email;
  const form = useForm<{ max_organizations: number | '' }>({
    initialValues: { max_organizations: u.max_organizations },
    validate: {
      max_organizations: (v) =>
        v === '' || (Number.isInteger(v) && v >= 0 && v <= most) ? null : t('setting.between', { low: 0, high: most }),
    },
  });
  const act = useAction('patch', '/admin/users/{id}', {
    form,
    stale: ['/admin'],
    done: (now) => t('user.ownDone', { name, count: now.max_organizations }),
    then: onClose,
  });
  const send = () => {
    if (form.validate().hasErrors) return;
    const { max_organizations: n } = form.values;
    void act.run({ path: { id: u.id }, body: { max_organizations: n === '' ? null : n } });
  };
  return (
    <Confirm
      title={t('user.ownTitle', { name })}
      act={t('user.ownAct')}
      pending={act.pending}
      consequence={t('user.ownText', { name, count: ownedBy(u) })}
      onClose={onClose}
      onConfirm={send}
    >
      <NumberInput
        label={t('user.own')}
        description={t('user.ownHint', { count: everybody })}
        placeholder={String(everybody)}
        min={0}
        max={most}
        clampBehavior="none"
        allowDecimal={false}
        data-autofocus
        {...form.getInputProps('max_organizations')}
      />
    </Confirm>
  );
}
