import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { type Above, Copy, Failed, NotFound, Page, useAction, useFormat, useGet, When } from '@shell';
import { IconPlugConnected } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AskReason, because, useReason } from './AskReason';
import { administrators } from './Guard';
import { Fact, Facts, OrgLink, Part, State } from './parts';
import { proxyName, type ProxyShown } from './Proxies';

function Proxy() {
  const { t } = useTranslation('admin');
  const { id = '' } = useParams({ strict: false });
  const { data: p, error, refetch } = useGet('/admin/proxies/{id}', { path: { id } });
  const above: Above[] = [{ label: t('proxy.title'), to: '/admin/proxies' }];
  if (error?.status === 404) return <NotFound />;
  if (!p)
    return (
      <Page title={t('column.proxy')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page title={proxyName(p)} above={above} badge={<State kind="proxy" state={p.status} />} actions={<Actions proxy={p} />}>
      {p.disabled_reason && (
        <Alert color="red" mb="md" title={t('proxy.isDisabled')}>
          {p.disabled_reason}
        </Alert>
      )}
      {p.last_error && p.status !== 'DISABLED' && (
        <Alert color="yellow" mb="md" title={t('proxy.lastError')}>
          <Text size="sm">{t(`state.proxy.${p.status}`)}</Text>
          <Text size="xs" lang="en" style={{ overflowWrap: 'anywhere' }}>
            {p.last_error}
          </Text>
        </Alert>
      )}
      <Part title={t('details')}>
        <Details of={p} />
      </Part>
    </Page>
  );
}

function Details({ of: p }: { of: ProxyShown }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  return (
    <Facts>
      <Fact label={t('column.organization')}>
        <OrgLink of={p.organization} />
      </Fact>
      <Fact label={t('proxy.address')}>{`${p.host}:${p.port}`}</Fact>
      <Fact label={t('proxy.type')}>{p.type === 'MTPROTO' ? 'MTProto' : p.type}</Fact>
      <Fact label={t('proxy.signIn')}>{t(p.has_password || p.has_secret ? 'yes' : 'no')}</Fact>
      <Fact label={t('proxy.used')}>{p.account ? (p.account.name ?? t('report.goneAccount')) : t('proxy.usedNo')}</Fact>
      <Fact label={t('proxy.latency')}>{p.latency_ms !== null && t('ms', { n: f.number(p.latency_ms) })}</Fact>
      <Fact label={t('proxy.checked')}>{p.last_checked_at && <When at={p.last_checked_at} exact />}</Fact>
      <Fact label={t('column.created')}>
        <When at={p.created_at} exact />
      </Fact>
      <Fact label={t('id')}>
        <Copy value={p.id} small />
      </Fact>
    </Facts>
  );
}

function Actions({ proxy: p }: { proxy: ProxyShown }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState(false);
  const form = useReason({ optional: p.status === 'DISABLED' });
  const close = () => {
    setAsked(false);
    form.reset();
  };
  const check = useAction('post', '/admin/proxies/{id}/check', {
    stale: ['/admin'],
    done: (now) => t('proxy.checkDone', { state: t(`state.proxy.${now.status}`) }),
  });
  const disable = useAction('post', '/admin/proxies/{id}/disable', {
    form,
    stale: ['/admin'],
    done: t('proxy.disabledDone'),
    then: close,
  });
  const enable = useAction('post', '/admin/proxies/{id}/enable', { stale: ['/admin'], done: t('proxy.enabledDone'), then: close });
  const path = { id: p.id };
  return (
    <>
      {p.status !== 'DISABLED' && (
        <Button
          variant="default"
          loading={check.pending}
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          onClick={() => void check.run({ path })}
        >
          {t('proxy.check')}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked(true)}>
        {t(p.status === 'DISABLED' ? 'proxy.enable' : 'proxy.disable')}
      </Button>
      {asked && p.status !== 'DISABLED' && (
        <AskReason
          danger
          title={t('proxy.disableTitle', { name: proxyName(p) })}
          act={t('proxy.disable')}
          pending={disable.pending}
          form={form}
          onClose={close}
          consequence={t(p.account_id ? 'proxy.disableUsed' : 'proxy.disableFree', { name: p.organization.name })}
          onConfirm={(reason) => void disable.run({ path, body: { reason } })}
        />
      )}
      {asked && p.status === 'DISABLED' && (
        <AskReason
          optional
          form={form}
          title={t('proxy.enableTitle', { name: proxyName(p) })}
          act={t('proxy.enable')}
          pending={enable.pending}
          onClose={close}
          consequence={t('proxy.enableText')}
          onConfirm={(reason) => void enable.run({ path, body: because(reason) })}
        />
      )}
    </>
  );
}

export default administrators(Proxy);
