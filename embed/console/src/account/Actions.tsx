import { Button, Checkbox, Menu, Text } from '@mantine/core';
import { type ApiError, Confirm, Link, showProblem, useAction, useCan, useNavigate } from '@shell';
import { IconActivityHeartbeat, IconDots, IconPlayerPause, IconPlayerPlay, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Affected } from './Campaigns';
import { useCheck } from './check';
import { explained } from './flow';
import { type Account, accountName, nextStep } from './name';
import { Refusal } from './Refusal';
import { changeStatus } from './status';
import { TestMessage } from './TestMessage';

type Asked = 'pause' | 'acknowledge' | 'remove' | 'test';

const stale = ['/accounts', '/campaigns', '/dashboard', '/proxies'] as const;

/** Refusals that are said in the dialog; others as everywhere. */
function useRefusal() {
  const [refused, setRefused] = useState<ApiError>();
  const failed = (e: ApiError) => {
    if (explained.includes(e.code)) setRefused(e);
    else showProblem(e);
    return true;
  };
  return { refused, failed };
}

export function Actions({ account: a }: { account: Account }) {
  const { t } = useTranslation('account');
  const can = useCan();
  const [asked, setAsked] = useState<Asked>();
  const check = useCheck(a.id);
  const close = () => setAsked(undefined);
  const manage = can('accounts:manage');
  return (
    <>
      {can('campaigns:execute') && a.status === 'ACTIVE' && (
        <Button variant="default" leftSection={<IconSend size={16} aria-hidden />} onClick={() => setAsked('test')}>
          {t('test.act')}
        </Button>
      )}
      {manage && a.status === 'ACTIVE' && (
        <Button variant="default" leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setAsked('pause')}>
          {t('pause.act')}
        </Button>
      )}
      {manage && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" px="xs" aria-label={t('more')}>
              <IconDots size={17} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconActivityHeartbeat size={16} aria-hidden />}
              disabled={check.pending}
              onClick={() => void check.run({ path: { id: a.id } })}
            >
              {t('check.act')}
            </Menu.Item>
            {!a.disabled_by_admin && (
              <Menu.Item c="var(--mantine-color-error)" onClick={() => setAsked('remove')}>
                {t('remove.act')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {asked === 'pause' && <Pause account={a} onClose={close} />}
      {asked === 'remove' && <Remove account={a} onClose={close} />}
      {asked === 'test' && <TestMessage account={a} onClose={close} />}
    </>
  );
}

/** The one button that leads on from a state that does not send. */
export function NextButton({ account: a }: { account: Account }) {
  const { t } = useTranslation('account');
  const can = useCan();
  const [asked, setAsked] = useState(false);
  const check = useCheck(a.id);
  const resume = useAction('post', '/accounts/{id}/resume', {
    stale,
    now: ({ path }, cache) => changeStatus(cache, path.id, 'ACTIVE'),
    done: t('resume.done', { name: accountName(a) }),
  });
  if (!can('accounts:manage')) return null;
  switch (nextStep(a)) {
    case 'resume':
      return (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={resume.pending}
          onClick={() => void resume.run({ path: { id: a.id }, body: {} })}
        >
          {t('resume.act')}
        </Button>
      );
    case 'reauth':
      return (
        <Button component={Link} to={`/accounts/${a.id}/sign-in`}>
          {t('reauth')}
        </Button>
      );
    case 'check':
      return (
        <Button
          leftSection={<IconActivityHeartbeat size={16} aria-hidden />}
          loading={check.pending}
          onClick={() => void check.run({ path: { id: a.id } })}
        >
          {t('check.act')}
        </Button>
      );
    case 'acknowledge':
      return (
        <>
          <Button color="red.8" onClick={() => setAsked(true)}>
            {t('acknowledge.act')}
          </Button>
          {asked && <Acknowledge account={a} onClose={() => setAsked(false)} />}
        </>
      );
    default:
      return null;
  }
}

interface Asking {
  account: Account;
  onClose: () => void;
}

function Pause({ account: a, onClose }: Asking) {
  const { t } = useTranslation('account');
  const pause = useAction('post', '/accounts/{id}/pause', {
    stale,
    now: ({ path }, cache) => changeStatus(cache, path.id, 'PAUSED'),
    done: t('pause.done', { name: accountName(a) }),
  });
  const confirm = () => {
    void pause.run({ path: { id: a.id } });
    onClose(); // it shows already
  };
  return (
    <Confirm
      title={t('pause.title', { name: accountName(a) })}
      consequence={t('pause.consequence')}
      act={t('pause.act')}
      pending={pause.pending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Affected id={a.id} />
    </Confirm>
  );
}

function Acknowledge({ account: a, onClose }: Asking) {
  const { t } = useTranslation('account');
  const [sure, setSure] = useState(false);
  const { refused, failed } = useRefusal();
  const resume = useAction('post', '/accounts/{id}/resume', {
    stale,
    failed,
    done: t('resume.done', { name: accountName(a) }),
    then: onClose,
  });
  const [unsure, setUnsure] = useState(false);
  const go = () => {
    setUnsure(!sure);
    if (sure) void resume.run({ path: { id: a.id }, body: { acknowledge_restriction: true } });
  };
  return (
    <Confirm
      danger
      title={t('acknowledge.title', { name: accountName(a) })}
      consequence={t('acknowledge.consequence')}
      act={t('acknowledge.act')}
      pending={resume.pending}
      onConfirm={go}
      onClose={onClose}
    >
      <Text size="sm">{t('acknowledge.campaigns')}</Text>
      <Checkbox
        checked={sure}
        onChange={(e) => setSure(e.currentTarget.checked)}
        label={t('acknowledge.sure')}
        error={unsure && !sure && t('acknowledge.unsure')}
      />
      {refused && <Refusal error={refused} />}
    </Confirm>
  );
}

function Remove({ account: a, onClose }: Asking) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const { refused, failed } = useRefusal();
  const remove = useAction('delete', '/accounts/{id}', {
    stale,
    failed,
    done: t('remove.done', { name: accountName(a) }),
    then: () => void navigate({ to: '/accounts', ignoreBlocker: true }),
  });
  return (
    <Confirm
      danger
      word={t('remove.word')}
      title={t('remove.title', { name: accountName(a) })}
      consequence={t('remove.consequence')}
      act={t('remove.act')}
      pending={remove.pending}
      onConfirm={() => void remove.run({ path: { id: a.id } })}
      onClose={onClose}
    >
      <Affected id={a.id} />
      {refused && <Refusal error={refused} />}
    </Confirm>
  );
}
