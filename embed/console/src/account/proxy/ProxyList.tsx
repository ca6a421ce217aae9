import { Button } from '@mantine/core';
import {
  Beside,
  type Column,
  Confirm,
  type Filter,
  List,
  NamedThing,
  Page,
  Pale,
  type Selection,
  showDone,
  useAction,
  useCan,
  useFormat,
  When,
} from '@shell';
import { IconActivityHeartbeat, IconFileImport, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Proxy, proxyName, proxyStates } from '../name';
import { ProxyForm } from './ProxyForm';
import { ProxyImport } from './ProxyImport';
import { ProxyState } from './ProxyState';

export default function ProxyList() {
  const { t } = useTranslation('account');
  const can = useCan();
  const [open, setOpen] = useState<'add' | 'import'>();
  const columns = useColumns();
  const filters = useMemo(
    (): Filter[] => [
      {
        kind: 'choice',
        key: 'status',
        label: t('column.state'),
        options: proxyStates.map((value) => ({ value, label: t(`proxyState.${value}`) })),
      },
    ],
    [t],
  );
  const manage = can('proxies:manage');
  const add = manage && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen('add')}>
      {t('proxy.add')}
    </Button>
  );
  return (
    <Page
      title={t('proxy.title')}
      lead={t('proxy.lead')}
      actions={
        manage && (
          <>
            <Button variant="default" leftSection={<IconFileImport size={17} aria-hidden />} onClick={() => setOpen('import')}>
              {t('import.open')}
            </Button>
            {add}
          </>
        )
      }
    >
      <List
        path="/proxies"
        label={t('proxy.title')}
        columns={columns}
        filters={filters}
        to={(p) => `/proxies/${p.id}`}
        name={proxyName}
        bulk={manage ? { actions: (s) => <Bulk selection={s} /> } : undefined}
        empty={{ title: t('proxy.emptyTitle'), text: t('proxy.emptyText'), action: add }}
      />
      {open === 'add' && <ProxyForm onClose={() => setOpen(undefined)} />}
      {open === 'import' && <ProxyImport onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function useColumns(): Column<Proxy>[] {
  const { t } = useTranslation('account');
  const f = useFormat();
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('proxy.one'),
        render: (p) => (
          <>
            {proxyName(p)}
            {p.name && (
              <Beside>
                {p.host}:{p.port}
              </Beside>
            )}
          </>
        ),
      },
      { key: 'state', title: t('column.state'), render: (p) => <ProxyState proxy={p} /> },
      { key: 'type', title: t('proxy.type'), from: 'md', render: (p) => t(`proxyType.${p.type}`) },
      {
        key: 'account',
        title: t('proxy.usedBy'),
        render: (p) => (p.account ? <NamedThing of={p.account} /> : <Pale>{t('proxy.free')}</Pale>),
      },
      {
        key: 'latency',
        title: t('proxy.latency'),
        align: 'right',
        from: 'md',
        render: (p) => (p.latency_ms === null ? '–' : t('proxy.ms', { n: f.number(p.latency_ms) })),
      },
      { key: 'checked', title: t('proxy.checked'), render: (p) => <When at={p.last_checked_at} /> },
    ],
    [t, f],
  );
}

function Bulk({ selection }: { selection: Selection }) {
  const { t } = useTranslation('account');
  const [asking, setAsking] = useState(false);
  const bulk = useAction('post', '/proxies/bulk', {
    stale: ['/proxies'],
    then(done) {
      const what =
        done.action === 'delete' ? t('proxy.bulkDeleted', { count: done.changed }) : t('proxy.bulkChecked', { count: done.changed });
      showDone(what + (done.skipped.length ? ` ${t('proxy.bulkSkipped', { count: done.skipped.length })}` : ''));
      setAsking(false);
      selection.clear();
    },
  });
  const run = (action: 'check' | 'delete') => void bulk.run({ body: { action, proxy_ids: [...selection.ids] } });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconActivityHeartbeat size={15} aria-hidden />}
        loading={bulk.pending && !asking}
        onClick={() => run('check')}
      >
        {t('proxy.check')}
      </Button>
      <Button size="compact-sm" variant="default" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setAsking(true)}>
        {t('proxy.delete')}
      </Button>
      {asking && (
        <Confirm
          danger
          title={t('proxy.delete')}
          consequence={t('proxy.deleteConsequence', { count: selection.count })}
          act={t('proxy.delete')}
          pending={bulk.pending}
          onConfirm={() => run('delete')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
