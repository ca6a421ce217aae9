import { Alert, Button, DataList, Grid, Menu, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { type Above, Confirm, Copy, Failed, NotFound, Page, useAction, useCan, useGet, useNavigate, When } from '@shell';
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Models } from './Models';
import { Health } from './parts';
import { ProviderDialog } from './ProviderDialog';
import { Test } from './Test';
import type { Provider } from './types';

/** An organization has at most 20 providers: the list is the one answer that names them. */
const whole = { query: { limit: 100 } };

/** One provider: its health, what it can do, its models with their prices. */
export default function ProviderPage() {
  const { t } = useTranslation('engine');
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useGet('/ai/providers', whole);
  const above: Above[] = [{ label: t('sections.providers'), to: '/ai/providers' }];
  const p = data?.data?.find((x) => x.id === id);
  if (data && !p) return <NotFound />;
  if (!p)
    return (
      <Page title={t('provider.one')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page title={p.name} above={above} badge={<Health provider={p} />} actions={<Actions provider={p} />}>
      {p.demo && (
        <Alert color="yellow" mb="md" title={t('provider.demoTitle')}>
          {t('provider.demoText')}
        </Alert>
      )}
      {p.last_error_code && (
        <Alert color={p.status === 'FAILING' ? 'red' : 'orange'} mb="md" title={t(`fault.${p.last_error_code}`)}>
          {t(`fix.${p.last_error_code}`)}
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Details provider={p} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <Test provider={p} />
            <Models provider={p} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Details({ provider: p }: { provider: Provider }) {
  const { t } = useTranslation('engine');
  const line = (label: string, value: React.ReactNode) => (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value}</DataList.ItemValue>
    </DataList.Item>
  );
  return (
    <Paper>
      <Title order={2} mb="sm">
        {t('provider.details')}
      </Title>
      <DataList orientation="vertical">
        {line(t('form.kind'), t(`kind.${p.kind}`))}
        {!p.demo && line(t('form.url'), p.base_url ?? t('provider.vendorUrl'))}
        {!p.demo && line(t('form.key'), p.key_hint ? `…${p.key_hint}` : t('provider.noKey'))}
        {line(t('form.timeout'), p.timeout_seconds)}
        {line(t('column.tested'), <When at={p.last_tested_at} exact />)}
        {p.created_at && line(t('provider.created'), <When at={p.created_at} exact />)}
        {line(t('provider.id'), <Copy value={p.id} small />)}
      </DataList>
    </Paper>
  );
}

function Actions({ provider: p }: { provider: Provider }) {
  const { t } = useTranslation('engine');
  const can = useCan();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'edit' | 'disable' | 'delete'>();
  const close = () => setAsked(undefined);
  const stale = ['/ai/providers', '/ai/models', '/ai/agents'];
  const change = useAction('patch', '/ai/providers/{id}', { stale, done: t('form.saved'), then: close });
  const remove = useAction('delete', '/ai/providers/{id}', {
    stale,
    done: t('delete.done', { name: p.name }),
    then: () => void navigate({ to: '/ai/providers' }),
  });
  if (!can('ai:manage') || p.demo) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setAsked('edit')}>
        {t('form.open')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={t('more')}>
            <IconDots size={17} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {p.status === 'DISABLED' ? (
            <Menu.Item
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              onClick={() => void change.run({ path: { id: p.id }, body: { status: 'ACTIVE' } })}
            >
              {t('enable.act')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setAsked('disable')}>
              {t('disable.act')}
            </Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked('delete')}>
            {t('delete.act')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'edit' && <ProviderDialog provider={p} onClose={close} />}
      {asked === 'disable' && (
        <Confirm
          title={t('disable.title', { name: p.name })}
          consequence={t('disable.consequence')}
          act={t('disable.act')}
          pending={change.pending}
          onConfirm={() => void change.run({ path: { id: p.id }, body: { status: 'DISABLED' } })}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          danger
          title={t('delete.title', { name: p.name })}
          consequence={t('delete.consequence')}
          act={t('delete.act')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: p.id } })}
          onClose={close}
        />
      )}
    </>
  );
}
