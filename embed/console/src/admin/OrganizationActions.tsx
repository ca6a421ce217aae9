import { Button, Menu, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, type Schema, useAction, useGet } from '@shell';
import { IconChevronDown, IconEye, IconLock, IconLockOpen } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AskReason, because, useReason } from './AskReason';
import { plans } from './choices';

type Organization = Schema<'AdminOrganization'>;
interface Props {
  organization: Organization;
  onClose: () => void;
}

/** What an administrator of the platform can do to an organization. */
export function OrganizationActions({ organization: o }: { organization: Organization }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<'support' | 'edit' | 'suspend' | 'reactivate'>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} onClick={() => setAsked('support')}>
        {t('support.begin')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {t('organization.change')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('edit')}>{t('organization.edit')}</Menu.Item>
          {o.status === 'ACTIVE' && (
            <Menu.Item leftSection={<IconLock size={16} aria-hidden />} c="var(--mantine-color-error)" onClick={() => setAsked('suspend')}>
              {t('organization.suspend')}
            </Menu.Item>
          )}
          {o.status === 'SUSPENDED' && (
            <Menu.Item leftSection={<IconLockOpen size={16} aria-hidden />} onClick={() => setAsked('reactivate')}>
              {t('organization.reactivate')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'support' && <Support organization={o} onClose={close} />}
      {asked === 'edit' && <Edit organization={o} onClose={close} />}
      {asked === 'suspend' && <Suspend organization={o} onClose={close} />}
      {asked === 'reactivate' && <Reactivate organization={o} onClose={close} />}
    </>
  );
}

function Suspend({ organization: o, onClose }: Props) {
  const { t } = useTranslation('admin');
  const form = useReason();
  const running = useGet('/admin/campaigns', { query: { organization_id: o.id, status: 'RUNNING', limit: 1 } });
  const act = useAction('post', '/admin/organizations/{id}/suspend', {
    form,
    stale: ['/admin'],
    done: t('organization.suspended', { name: o.name }),
    then: onClose,
  });
  return (
    <AskReason
      danger
      title={t('organization.suspendTitle', { name: o.name })}
      act={t('organization.suspend')}
      pending={act.pending}
      form={form}
      onClose={onClose}
      consequence={
        <>
          {t('organization.suspendText', { count: o.members_count })}{' '}
          {running.data && running.data.total > 0 && t('organization.suspendCampaigns', { count: running.data.total })}{' '}
          {t('organization.suspendPeople', { count: o.recipients_count })}
        </>
      }
      onConfirm={(reason) => void act.run({ path: { id: o.id }, body: { reason } })}
    />
  );
}

function Reactivate({ organization: o, onClose }: Props) {
  const { t } = useTranslation('admin');
  const form = useReason({ optional: true });
  const act = useAction('post', '/admin/organizations/{id}/reactivate', {
    stale: ['/admin'],
    done: t('organization.reactivated', { name: o.name }),
    then: onClose,
  });
  return (
    <AskReason
      optional
      form={form}
      title={t('organization.reactivateTitle', { name: o.name })}
      act={t('organization.reactivate')}
      pending={act.pending}
      onClose={onClose}
      consequence={t('organization.reactivateText')}
      onConfirm={(reason) => void act.run({ path: { id: o.id }, body: because(reason) })}
    />
  );
}

function Edit({ organization: o, onClose }: Props) {
  const { t } = useTranslation('admin');
  const form = useForm({
    initialValues: { name: o.name, plan: o.plan, ai: o.ai_enabled, analysis: o.conversation_intelligence_enabled },
    validate: { name: (v) => (v.trim() ? null : t('organization.nameMissing')) },
  });
  const act = useAction('patch', '/admin/organizations/{id}', { form, stale: ['/admin'], done: t('saved'), then: onClose });
  const v = form.values;
  const save = () => {
    if (form.validate().hasErrors) return;
    void act.run({
      path: { id: o.id },
      body: {
        name: v.name.trim() === o.name ? undefined : v.name.trim(),
        plan: v.plan === o.plan ? undefined : v.plan,
        ai_enabled: v.ai === o.ai_enabled ? undefined : v.ai,
        conversation_intelligence_enabled: v.analysis === o.conversation_intelligence_enabled ? undefined : v.analysis,
      },
    });
  };
  return (
    <Confirm
      title={t('organization.edit')}
      act={t('save')}
      pending={act.pending}
      onConfirm={save}
      onClose={onClose}
      consequence={
        <>
          {v.plan === o.plan
            ? t('organization.editText')
            : t('organization.planText', { from: t(`plan.${o.plan}`), to: t(`plan.${v.plan}`) })}{' '}
          {o.ai_enabled && !v.ai && t('organization.aiOff')}
        </>
      }
    >
      <TextInput label={t('organization.name')} {...form.getInputProps('name')} />
      <Select
        label={t('column.plan')}
        data={plans.map((value) => ({ value, label: t(`plan.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('plan')}
      />
      <Switch label={t('organization.ai')} description={t('organization.aiHint')} {...form.getInputProps('ai', { type: 'checkbox' })} />
      <Switch
        label={t('organization.analysis')}
        description={t('organization.analysisHint')}
        disabled={!v.ai}
        {...form.getInputProps('analysis', { type: 'checkbox' })}
      />
    </Confirm>
  );
}

/** The longest that a support session may last, in minutes. */
const longest = 240;

function Support({ organization: o, onClose }: Props) {
  const { t } = useTranslation('admin');
  const { data: settings } = useGet('/admin/settings', {});
  const form = useReason({ more: { minutes: '' as number | string } });
  const [link, setLink] = useState('');
  const act = useAction('post', '/admin/organizations/{id}/support-sessions', {
    form,
    stale: ['/admin'],
    then: (s) => setLink(s.enter_url),
  });
  if (link) {
    return (
      <Confirm
        title={t('support.ready')}
        act={t('support.enter')}
        onClose={onClose}
        onConfirm={() => location.assign(link)}
        consequence={
          <Stack gap="xs">
            <Text>{t('support.readyText', { name: o.name })}</Text>
            <Text size="sm" c="dimmed">
              {t('support.once')}
            </Text>
          </Stack>
        }
      />
    );
  }
  return (
    <AskReason
      title={t('support.title', { name: o.name })}
      act={t('support.prepare')}
      pending={act.pending}
      form={form}
      onClose={onClose}
      consequence={t('support.text', { count: o.recipients_count })}
      onConfirm={(reason) => {
        const { minutes } = form.getValues();
        void act.run({ path: { id: o.id }, body: { reason, minutes: typeof minutes === 'number' ? minutes : undefined } });
      }}
    >
      <NumberInput
        label={t('support.minutes')}
        min={1}
        max={longest}
        placeholder={String(settings?.support_session_minutes ?? '')}
        allowDecimal={false}
        {...form.getInputProps('minutes')}
      />
    </AskReason>
  );
}
