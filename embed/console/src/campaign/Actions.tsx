import { Button, Menu, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ApiError, Confirm, Link, showProblem, useAction, useCan, useNavigate } from '@shell';
import {
  IconCopy,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRepeatOff,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, hasEnded } from './model';
import { changeCampaign, paused, resumed } from './status';

type Asked = 'pause' | 'cancel' | 'delete' | 'duplicate' | 'stop';
const stale = ['/campaigns', '/dashboard', '/accounts'] as const;

/** Refusals of these steps in words of their own; others as everywhere. */
const own = [
  'no_active_accounts',
  'campaign_ended',
  'paused_by_admin',
  'campaign_not_draft',
  'not_repeating',
  'campaign_locked',
  'invalid_state',
] as const;

export function useRefused() {
  const { t } = useTranslation('campaign');
  return (e: ApiError): boolean => {
    const known = own.find((code) => code === e.code);
    if (known) showProblem(Object.assign(e, { code: `campaign.${known}`, message: t(`refusal.${known}`) }));
    return known !== undefined;
  };
}

export function Actions({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const can = useCan();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const execute = can('campaigns:execute');
  const manage = can('campaigns:manage');
  const pausable = c.status === 'RUNNING' || c.status === 'SCHEDULED';
  const repeats = c.repeat !== null && !hasEnded(c) && c.status !== 'DRAFT';
  return (
    <>
      {execute && pausable && (
        <Button variant="default" leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setAsked('pause')}>
          {t('act.pause')}
        </Button>
      )}
      {manage && !hasEnded(c) && c.status !== 'DRAFT' && (
        <Button variant="default" component={Link} to={`/campaigns/${c.id}/edit`} leftSection={<IconPencil size={16} aria-hidden />}>
          {t('edit.open')}
        </Button>
      )}
      {(manage || execute) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" px="xs" aria-label={t('more')}>
              <IconDots size={17} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {manage && (
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => setAsked('duplicate')}>
                {t('act.duplicate')}
              </Menu.Item>
            )}
            {execute && repeats && (
              <Menu.Item leftSection={<IconRepeatOff size={16} aria-hidden />} onClick={() => setAsked('stop')}>
                {t('act.stop')}
              </Menu.Item>
            )}
            {execute && (pausable || c.status === 'PAUSED') && (
              <Menu.Item
                c="var(--mantine-color-error)"
                leftSection={<IconPlayerStop size={16} aria-hidden />}
                onClick={() => setAsked('cancel')}
              >
                {t('act.cancel')}
              </Menu.Item>
            )}
            {manage && c.status === 'DRAFT' && (
              <Menu.Item
                c="var(--mantine-color-error)"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setAsked('delete')}
              >
                {t('act.delete')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {asked === 'duplicate' && <Duplicate campaign={c} onClose={close} />}
      {asked && asked !== 'duplicate' && <Ask step={asked} campaign={c} onClose={close} />}
    </>
  );
}

/** The way on from a pause; none where somebody else must act first. */
export function ResumeButton({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const can = useCan();
  const failed = useRefused();
  const resume = useAction('post', '/campaigns/{id}/resume', {
    stale,
    failed,
    now: ({ path }, cache) => changeCampaign(cache, path.id, resumed),
    done: t('act.resumed', { name: c.name }),
  });
  if (!can('campaigns:execute') || c.status !== 'PAUSED' || c.pause_reason === 'ADMIN' || c.pause_reason === 'ORGANIZATION_SUSPENDED')
    return null;
  return (
    <>
      <Button
        loading={resume.pending}
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        onClick={() => void resume.run({ path: { id: c.id } })}
      >
        {t('act.resume')}
      </Button>
      {c.pause_reason?.startsWith('ACCOUNT_') && (
        <Button variant="default" component={Link} to="/accounts">
          {t('act.accounts')}
        </Button>
      )}
      {c.pause_reason === 'END_AT_PASSED' && (
        <Button variant="default" component={Link} to={`/campaigns/${c.id}/edit?step=schedule`}>
          {t('act.moveEnd')}
        </Button>
      )}
      {c.pause_reason === 'CONTENT_ERRORS' && (
        <Button variant="default" component={Link} to={`/campaigns/${c.id}/edit?step=message`}>
          {t('act.mendText')}
        </Button>
      )}
    </>
  );
}

const paths = { pause: '/campaigns/{id}/pause', cancel: '/campaigns/{id}/cancel', stop: '/campaigns/{id}/stop-repeating' } as const;

/** A step with its consequence in words, and how many people it touches. */
function Ask({ step, campaign: c, onClose }: { step: Exclude<Asked, 'duplicate'>; campaign: Campaign; onClose: () => void }) {
  const { t } = useTranslation('campaign');
  const navigate = useNavigate();
  const failed = useRefused();
  const act = useAction('post', step === 'delete' ? paths.pause : paths[step], {
    stale,
    failed,
    now: step === 'pause' ? ({ path }, cache) => changeCampaign(cache, path.id, paused) : undefined,
    then: onClose,
  });
  const remove = useAction('delete', '/campaigns/{id}', {
    stale,
    failed,
    done: t('ask.deleted', { name: c.name }),
    then: () => void navigate({ to: '/campaigns' }),
  });
  const run = () => {
    void (step === 'delete' ? remove.run({ path: { id: c.id } }) : act.run({ path: { id: c.id } }));
    if (step === 'pause') onClose(); // it shows already
  };
  const grave = step === 'cancel' || step === 'delete';
  const people = c.status === 'SCHEDULED' ? (c.validation?.audience.sendable ?? c.totals.pending) : c.totals.pending;
  return (
    <Confirm
      title={t(`ask.${step}.title`, { name: c.name })}
      consequence={
        <>
          {t(`ask.${step}.consequence`, { count: people })} {step === 'cancel' && c.repeat !== null && t('ask.cancel.series')}
        </>
      }
      act={t(`act.${step}`)}
      danger={grave}
      word={step === 'cancel' ? t('ask.word') : undefined}
      pending={act.pending || remove.pending}
      onConfirm={run}
      onClose={onClose}
    />
  );
}

const which = ['ALL', 'UNSENT', 'FAILED'] as const;

/** A new draft with the same message: for everybody, or for exactly those who did not get it. */
function Duplicate({ campaign: c, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { t } = useTranslation('campaign');
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '', only: 'ALL' as (typeof which)[number] } });
  const { only } = form.values;
  const name = form.values.name.trim();
  const copy = useAction('post', '/campaigns/{id}/duplicate', {
    form,
    stale,
    failed: useRefused(),
    then: (made) => void navigate({ to: `/campaigns/${made.id}/edit` }),
  });
  const counts = { ALL: c.totals.total, UNSENT: c.totals.pending + c.totals.cancelled, FAILED: c.totals.failed };
  return (
    <Confirm
      title={t('duplicate.title', { name: c.name })}
      consequence={t('duplicate.text')}
      act={t('act.duplicate')}
      pending={copy.pending}
      onClose={onClose}
      onConfirm={() => void copy.run({ path: { id: c.id }, body: { only, ...(name ? { name } : {}) } })}
    >
      <TextInput label={t('field.name')} placeholder={c.name} maxLength={120} {...form.getInputProps('name')} />
      <Radio.Group label={t('duplicate.who')} {...form.getInputProps('only')}>
        <Stack gap="xs" mt={6}>
          {which.map((w) => (
            <Radio key={w} value={w} disabled={w !== 'ALL' && counts[w] === 0} label={t(`duplicate.${w}`, { count: counts[w] })} />
          ))}
        </Stack>
      </Radio.Group>
    </Confirm>
  );
}
