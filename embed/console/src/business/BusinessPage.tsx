import { Button, Menu, Skeleton, Tabs } from '@mantine/core';
import {
  type Above,
  Confirm,
  Failed,
  late,
  NotFound,
  Page,
  Status,
  useAction,
  useCan,
  useChosenInSight,
  useGet,
  useNavigate,
} from '@shell';
import { IconArchive, IconArchiveOff, IconDots, IconTrash } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Business } from './types';

const panels = {
  about: late(() => import('./Profile')),
  offers: late(() => import('./Offers')),
  knowledge: late(() => import('./Knowledge')),
  seller: late(() => import('./SellerSettings')),
  try: late(() => import('./Try')),
  accounts: late(() => import('./Accounts')),
  funnel: late(() => import('./Funnels')),
  identities: late(() => import('./Identities')),
};
type Tab = keyof typeof panels;
const tabs = Object.keys(panels) as Tab[];

/** One business: what it is, sells and says, and how much its seller may do. */
export default function BusinessPage() {
  const { t } = useTranslation('business');
  const { id = '' } = useParams({ strict: false });
  const { data: b, error, refetch } = useGet('/ai/businesses/{id}', { path: { id } });
  const above: Above[] = [{ label: t('sections.businesses'), to: '/ai/businesses' }];
  if (error?.status === 404) return <NotFound />;
  if (!b)
    return (
      <Page title={t('one')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page
      title={b.name}
      above={above}
      badge={b.status === 'ARCHIVED' && <Status state={b.status} label={t('state.ARCHIVED')} />}
      actions={<Actions business={b} />}
    >
      <Panels business={b} />
    </Page>
  );
}

/** The parts of a business. One that was opened stays as it is, with what is typed in it. */
function Panels({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const navigate = useNavigate();
  const { tab: asked } = useSearch({ strict: false }) as { tab?: string };
  const tab = tabs.includes(asked as Tab) ? (asked as Tab) : 'about';
  const opened = useRef(new Set<Tab>());
  opened.current.add(tab);
  const row = useChosenInSight<HTMLDivElement>(tab);
  return (
    <Tabs
      value={tab}
      onChange={(v) => void navigate({ to: '.', search: (v === 'about' ? {} : { tab: v }) as never, replace: true, resetScroll: false })}
    >
      <Tabs.List ref={row} mb="md" className="scrolling" style={{ flexWrap: 'nowrap' }}>
        {tabs.map((x) => (
          <Tabs.Tab key={x} value={x} style={{ whiteSpace: 'nowrap' }}>
            {t(`tab.${x}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((x) => {
        const Panel = panels[x];
        return (
          <Tabs.Panel key={x} value={x}>
            {opened.current.has(x) && (
              <Suspense fallback={<Skeleton h={240} />}>
                <Panel business={b} />
              </Suspense>
            )}
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

function Actions({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const can = useCan();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'archive' | 'delete'>();
  const close = () => setAsked(undefined);
  const change = useAction('patch', '/ai/businesses/{id}', { stale: ['/ai/businesses'], done: t('saved'), then: close });
  const remove = useAction('delete', '/ai/businesses/{id}', {
    stale: ['/ai/businesses'],
    done: t('delete.done', { name: b.name }),
    then: () => void navigate({ to: '/ai/businesses' }),
  });
  if (!can('ai:manage')) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={t('more')}>
            <IconDots size={17} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {b.status === 'ARCHIVED' ? (
            <Menu.Item
              leftSection={<IconArchiveOff size={16} aria-hidden />}
              onClick={() => void change.run({ path: { id: b.id }, body: { status: 'ACTIVE' } })}
            >
              {t('archive.back')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconArchive size={16} aria-hidden />} onClick={() => setAsked('archive')}>
              {t('archive.act')}
            </Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked('delete')}>
            {t('delete.act')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'archive' && (
        <Confirm
          title={t('archive.title', { name: b.name })}
          consequence={t('archive.consequence')}
          act={t('archive.act')}
          pending={change.pending}
          onConfirm={() => void change.run({ path: { id: b.id }, body: { status: 'ARCHIVED' } })}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          danger
          title={t('delete.title', { name: b.name })}
          consequence={t('delete.consequence')}
          word={t('delete.word')}
          act={t('delete.act')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: b.id } })}
          onClose={close}
        />
      )}
    </>
  );
}
