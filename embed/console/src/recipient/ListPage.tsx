import { Button, Group, Menu, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import {
  type Above,
  Confirm,
  Failed,
  Link,
  List,
  NotFound,
  Num,
  Page,
  type Selection,
  useAction,
  useCan,
  useGet,
  useNavigate,
} from '@shell';
import { IconDots, IconFileImport, IconPencil, IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddMembers } from './AddMembers';
import { BulkActions, filterBody, mostInBulk } from './BulkActions';
import { useColumns, useFilters } from './columns';
import { exportAddress } from './export';
import { ListForm } from './ListForm';
import type { PeopleList } from './list';
import { Dot, Share } from './Lists';
import { nameOf } from './name';

type Asked = 'edit' | 'delete' | 'add';

/** One list: how many of it can be written to, and who is in it. */
export default function ListPage() {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const { id = '' } = useParams({ strict: false });
  const { data: l, error, refetch } = useGet('/lists/{id}', { path: { id } });
  const [asked, setAsked] = useState<Asked>();
  const columns = useColumns();
  const filters = useFilters(false);
  const above: Above[] = [
    { label: t('title'), to: '/recipients' },
    { label: t('sections.lists'), to: '/recipients/lists' },
  ];
  if (error?.status === 404) return <NotFound />;
  if (!l)
    return (
      <Page title={t('filter.list')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  const manage = can('recipients:manage');
  const close = () => setAsked(undefined);
  const fill = manage && (
    <Button leftSection={<IconUserPlus size={17} aria-hidden />} onClick={() => setAsked('add')}>
      {t('list.addMembers')}
    </Button>
  );
  const bring = manage && (
    <Button
      component={Link}
      to="/recipients/import"
      search={{ list_id: id } as never}
      variant="default"
      leftSection={<IconFileImport size={17} aria-hidden />}
    >
      {t('import.open')}
    </Button>
  );
  return (
    <Page
      title={l.name}
      lead={l.description}
      above={above}
      badge={<Dot color={l.color} />}
      actions={
        <>
          {bring}
          {fill}
          <More id={id} manage={manage} onAsk={setAsked} />
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} mb="md" maw={560}>
        <Fact label={t('list.members')}>
          <Text span size="xl" fw={650}>
            <Num value={l.members_count} />
          </Text>
        </Fact>
        <Fact label={t('list.sendable')}>
          <Share list={l} />
        </Fact>
      </SimpleGrid>
      <List
        path="/recipients"
        label={l.name}
        columns={columns}
        filters={filters}
        search={t('search')}
        sort="-created_at"
        fixed={{ list_id: id }}
        to={(r) => `/recipients/${r.id}`}
        name={nameOf}
        bulk={
          manage
            ? {
                actions: (s) => (
                  <>
                    <Remove list={l} selection={s} />
                    <BulkActions selection={s} />
                  </>
                ),
                most: mostInBulk,
              }
            : undefined
        }
        empty={{
          title: t('list.nobody'),
          text: t('list.nobodyText'),
          action: (
            <>
              {bring}
              {fill}
            </>
          ),
        }}
      />
      {asked === 'edit' && <ListForm list={l} onClose={close} />}
      {asked === 'add' && <AddMembers list={l} onClose={close} />}
      {asked === 'delete' && <Delete list={l} onClose={close} />}
    </Page>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Paper p="sm">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {children}
    </Paper>
  );
}

function More({ id, manage, onAsk }: { id: string; manage: boolean; onAsk: (a: Asked) => void }) {
  const { t } = useTranslation('recipient');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px="xs" aria-label={t('more')}>
          <IconDots size={18} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={exportAddress('', { list_id: id })} download>
          {t('export')}
        </Menu.Item>
        {manage && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onAsk('edit')}>
            {t('list.edit')}
          </Menu.Item>
        )}
        {manage && (
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onAsk('delete')}>
            {t('list.delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Takes who is selected out of the list; they stay recipients. */
function Remove({ list, selection }: { list: PeopleList; selection: Selection }) {
  const { t } = useTranslation('recipient');
  const stale = ['/recipients', '/lists'];
  const done = { stale, then: selection.clear };
  const some = useAction('delete', '/lists/{id}/members', { ...done, done: (a) => t('list.removed', { count: a.removed }) });
  const all = useAction('post', '/recipients/bulk', { ...done, done: (a) => t('list.removed', { count: a.changed }) });
  const go = () =>
    void (selection.all
      ? all.run({ body: { action: 'remove_from_list', list_id: list.id, filter: filterBody(selection.query) } })
      : some.run({ path: { id: list.id }, body: { recipient_ids: [...selection.ids] } }));
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={some.pending || all.pending}
      leftSection={<IconUserMinus size={15} aria-hidden />}
      onClick={go}
    >
      {t('list.remove')}
    </Button>
  );
}

function Delete({ list: l, onClose }: { list: PeopleList; onClose: () => void }) {
  const { t } = useTranslation('recipient');
  const navigate = useNavigate();
  const remove = useAction('delete', '/lists/{id}', {
    stale: ['/lists', '/recipients'],
    done: t('list.deleted', { name: l.name }),
    then: () => void navigate({ to: '/recipients/lists' }),
  });
  return (
    <Confirm
      danger
      title={t('list.deleteTitle', { name: l.name })}
      act={t('list.delete')}
      pending={remove.pending}
      onClose={onClose}
      onConfirm={() => void remove.run({ path: { id: l.id } })}
      consequence={<Group gap={4}>{t('list.deleteText', { count: l.members_count })}</Group>}
    />
  );
}
