import { ActionIcon, Anchor, Group, Menu, Paper, Progress, Skeleton, Table, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, Empty, Failed, Link, Num, Page, useAction, useCan, useGet } from '@shell';
import { IconDots, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mostInBulk } from './BulkActions';
import { Sections } from './Sections';
import { dropTag } from './tagged';

interface Count {
  tag: string;
  count: number;
}
type Act = 'tag' | 'untag';

/** The tags in use, the commonest first. */
export default function TagsPage() {
  const { t } = useTranslation('recipient');
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useGet('/recipients/tags', {});
  const wanted = search.trim().toLocaleLowerCase();
  const rows = (data?.data ?? []).filter((x) => x.tag.toLocaleLowerCase().includes(wanted));
  return (
    <Page title={t('sections.tags')} lead={t('tags.lead')} above={[{ label: t('title'), to: '/recipients' }]}>
      <Sections />
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={200} />}
      {data && data.data.length === 0 && (
        <Paper p={0}>
          <Empty
            title={t('tags.empty')}
            text={t('tags.emptyText')}
            action={
              <Anchor component={Link} to="/recipients">
                {t('tags.people')}
              </Anchor>
            }
          />
        </Paper>
      )}
      {data && data.data.length > 0 && (
        <>
          <TextInput
            type="search"
            mb="sm"
            w={{ base: '100%', xs: 280 }}
            value={search}
            onChange={(e) => setSearch(e.currentTarget.value)}
            placeholder={t('tags.search')}
            aria-label={t('tags.search')}
            leftSection={<IconSearch size={16} aria-hidden />}
          />
          {rows.length === 0 ? (
            <Paper p={0}>
              <Empty title={t('tags.nothing', { text: search.trim() })} />
            </Paper>
          ) : (
            <Rows rows={rows} most={data.data[0]?.count ?? 1} />
          )}
        </>
      )}
    </Page>
  );
}

function Rows({ rows, most }: { rows: readonly Count[]; most: number }) {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const [asked, setAsked] = useState<{ of: Count; act: Act }>();
  return (
    <Paper p={0} maw={760}>
      <Table aria-label={t('sections.tags')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('tags.tag')}</Table.Th>
            <Table.Th>{t('sections.people')}</Table.Th>
            {can('recipients:manage') && <Table.Th w={60}>{t('actions')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((x) => (
            <Table.Tr key={x.tag}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to="/recipients" search={{ tag: x.tag } as never} c="inherit" fw={550}>
                  {x.tag}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Group gap="sm" wrap="nowrap">
                  <Progress value={(100 * x.count) / most} flex={1} miw={50} size="sm" aria-label={x.tag} />
                  <Num value={x.count} />
                </Group>
              </Table.Td>
              {can('recipients:manage') && (
                <Table.Td>
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon color="gray" aria-label={t('tags.actions', { tag: x.tag })}>
                        <IconDots size={17} aria-hidden />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item onClick={() => setAsked({ of: x, act: 'tag' })}>{t('tags.add')}</Menu.Item>
                      <Menu.Item c="var(--mantine-color-error)" onClick={() => setAsked({ of: x, act: 'untag' })}>
                        {t('tags.remove')}
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {asked && <Ask {...asked} onClose={() => setAsked(undefined)} />}
    </Paper>
  );
}

/** Gives everybody with a tag more tags, or takes it from them. */
function Ask({ of, act, onClose }: { of: Count; act: Act; onClose: () => void }) {
  const { t } = useTranslation('recipient');
  const form = useForm({ initialValues: { tags: [] as string[] } });
  const { tags } = form.values;
  const bulk = useAction('post', '/recipients/bulk', {
    form,
    stale: ['/recipients'],
    now: (_, cache) => act === 'untag' && dropTag(cache, of.tag),
    done: (a) => t('bulk.done', { count: a.changed }),
    then: onClose,
  });
  const tooMany = of.count > mostInBulk;
  const run = () => {
    if (tooMany || (act === 'tag' && tags.length === 0)) return;
    void bulk.run({ body: { action: act, filter: { tag: [of.tag] }, tags: act === 'tag' ? tags : [of.tag] } });
  };
  return (
    <Confirm
      title={t(act === 'tag' ? 'tags.addTitle' : 'tags.removeTitle', { tag: of.tag })}
      act={t(act === 'tag' ? 'tags.add' : 'tags.remove')}
      danger={act === 'untag'}
      pending={bulk.pending}
      onConfirm={tooMany ? onClose : run}
      onClose={onClose}
      consequence={
        tooMany ? t('tags.tooMany', { count: mostInBulk }) : t(act === 'tag' ? 'tags.addText' : 'tags.removeText', { count: of.count })
      }
    >
      {act === 'tag' && !tooMany && <TagsInput label={t('tags.more')} maxTags={50} data-autofocus {...form.getInputProps('tags')} />}
    </Confirm>
  );
}
