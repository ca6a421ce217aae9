import { Alert, Button, DataList, Grid, Group, Paper, Select, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import {
  type Above,
  type ApiError,
  Confirm,
  Failed,
  NamedThing,
  NotFound,
  Page,
  Status,
  useAction,
  useCan,
  useFormat,
  useGet,
  useNavigate,
  When,
} from '@shell';
import { IconActivityHeartbeat, IconPencil, IconTrash } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explained } from '../flow';
import { accountName, type Proxy, proxyName } from '../name';
import { Refusal } from '../Refusal';
import { ProxyForm } from './ProxyForm';
import { ProxyMeans, ProxyState } from './ProxyState';
import { useProxyCheck } from './useProxyCheck';

/** One proxy: whether the messenger answers through it, which account uses it, and its checks. */
export default function ProxyPage() {
  const { t } = useTranslation('account');
  const { id = '' } = useParams({ strict: false });
  const { data: p, error, refetch } = useGet('/proxies/{id}', { path: { id } });
  const above: Above[] = [{ label: t('proxy.title'), to: '/proxies' }];
  if (error?.status === 404) return <NotFound />;
  if (error && !p)
    return (
      <Page title={t('proxy.one')} above={above}>
        <Failed error={error} onAgain={() => void refetch()} />
      </Page>
    );
  if (!p)
    return (
      <Page title={t('proxy.one')} above={above}>
        <Skeleton h={240} />
      </Page>
    );
  return (
    <Page title={proxyName(p)} above={above} badge={<ProxyState proxy={p} />} actions={<Actions proxy={p} />}>
      {p.status !== 'ACTIVE' && (
        <Alert color={p.status === 'UNCHECKED' ? 'blue' : 'red'} mb="md">
          <ProxyMeans proxy={p} />
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <Facts proxy={p} />
            <Assign key={p.account_id ?? ''} proxy={p} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Checks id={p.id} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Actions({ proxy: p }: { proxy: Proxy }) {
  const { t } = useTranslation('account');
  const can = useCan();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const check = useProxyCheck();
  // One that an administrator disabled can be neither checked nor changed nor deleted.
  if (!can('proxies:manage') || p.status === 'DISABLED') return null;
  return (
    <>
      <Button
        leftSection={<IconActivityHeartbeat size={16} aria-hidden />}
        loading={check.pending}
        onClick={() => void check.run({ path: { id: p.id } })}
      >
        {t('proxy.check')}
      </Button>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen('edit')}>
        {t('proxy.edit')}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setOpen('delete')}>
        {t('proxy.delete')}
      </Button>
      {open === 'edit' && <ProxyForm proxy={p} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <Delete proxy={p} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Delete({ proxy: p, onClose }: { proxy: Proxy; onClose: () => void }) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const [refused, setRefused] = useState<ApiError>();
  const remove = useAction('delete', '/proxies/{id}', {
    stale: ['/proxies'],
    then: () => void navigate({ to: '/proxies' }),
    failed: (e) => explained.includes(e.code) && (setRefused(e), true),
  });
  return (
    <Confirm
      danger
      title={t('proxy.deleteTitle', { name: proxyName(p) })}
      consequence={t(p.account_id ? 'proxy.deleteUsed' : 'proxy.deleteConsequence', { count: 1 })}
      act={t('proxy.delete')}
      pending={remove.pending}
      onConfirm={() => void remove.run({ path: { id: p.id } })}
      onClose={onClose}
    >
      {refused && <Refusal error={refused} />}
    </Confirm>
  );
}

function Facts({ proxy: p }: { proxy: Proxy }) {
  const { t } = useTranslation('account');
  const f = useFormat();
  const line = (label: string, value: ReactNode) => (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value || '–'}</DataList.ItemValue>
    </DataList.Item>
  );
  return (
    <Paper>
      <DataList orientation="horizontal" labelWidth="min(150px, 45%)">
        {line(t('proxy.type'), t(`proxyType.${p.type}`))}
        {line(t('proxy.host'), `${p.host}:${p.port}`)}
        {line(t('proxy.username'), p.username)}
        {line(t('proxy.password'), p.has_password && t('proxy.saved'))}
        {line(t('proxy.secret'), p.has_secret && t('proxy.saved'))}
        {line(t('proxy.usedBy'), p.account && <NamedThing of={p.account} />)}
        {line(t('proxy.latency'), p.latency_ms !== null && t('proxy.ms', { n: f.number(p.latency_ms) }))}
        {line(t('proxy.checked'), <When at={p.last_checked_at} />)}
        {line(t('proxy.added'), <When at={p.created_at} exact />)}
      </DataList>
    </Paper>
  );
}

/** The account that goes through the proxy; one at most. */
function Assign({ proxy: p }: { proxy: Proxy }) {
  const { t } = useTranslation(['account', 'shell']);
  const can = useCan();
  const [account, setAccount] = useState<string | null>(p.account_id);
  const [refused, setRefused] = useState<ApiError>();
  const { data } = useGet('/accounts', { query: { limit: 500 } });
  const save = useAction('patch', '/accounts/{id}', {
    stale: ['/proxies', '/accounts'],
    done: t('settings.saved'),
    failed: (e) => explained.includes(e.code) && (setRefused(e), true),
  });
  if (!can('accounts:manage') || p.status === 'DISABLED') return null;
  const go = () => {
    if (account) void save.run({ path: { id: account }, body: { proxy_id: p.id } });
    else if (p.account_id) void save.run({ path: { id: p.account_id }, body: { proxy_id: null } });
  };
  return (
    <Paper>
      <Stack gap="sm">
        <Select
          label={t('proxy.usedBy')}
          description={t('proxy.assignHint')}
          placeholder={t('proxy.free')}
          value={account}
          onChange={setAccount}
          clearable={p.account_id === null || account === p.account_id}
          searchable
          clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
          data={(data?.data ?? [])
            .filter((a) => p.account_id === null || a.id === p.account_id)
            .map((a) => ({ value: a.id, label: accountName(a) }))}
        />
        {refused && <Refusal error={refused} />}
        <Group>
          <Button variant="default" loading={save.pending} disabled={account === p.account_id} onClick={go}>
            {t('proxy.assign')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Checks({ id }: { id: string }) {
  const { t } = useTranslation('account');
  const f = useFormat();
  const { data, error, refetch } = useGet('/proxies/{id}/checks', { path: { id }, query: { limit: 100 } });
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('proxy.checks')}
      </Title>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!error && !data && <Skeleton h={100} />}
      {data && data.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('proxy.noChecks')}
        </Text>
      )}
      {data && data.data.length > 0 && (
        <Table.ScrollContainer minWidth={380} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('proxy.checks') } }}>
          <Table aria-label={t('proxy.checks')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('proxy.when')}</Table.Th>
                <Table.Th>{t('proxy.result')}</Table.Th>
                <Table.Th ta="right">{t('proxy.latency')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((c) => (
                <Table.Tr key={c.id}>
                  <Table.Td>
                    <When at={c.at} />
                  </Table.Td>
                  <Table.Td>
                    <Group gap={6}>
                      <Status state={c.ok ? 'OK' : 'FAILED'} label={t(c.ok ? 'proxy.ok' : 'proxy.notOk')} />
                      {!c.ok && <Text size="sm">{t(`stage.${c.stage}`)}</Text>}
                    </Group>
                  </Table.Td>
                  <Table.Td ta="right">{c.latency_ms === null ? '–' : t('proxy.ms', { n: f.number(c.latency_ms) })}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
