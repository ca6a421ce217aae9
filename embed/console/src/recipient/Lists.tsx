import { Button, ColorSwatch, Group, Progress, Text } from '@mantine/core';
import { type Column, List, Num, Page, Pale, useCan, useFormat, useNavigate, When } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PeopleList } from './list';
import { ListForm } from './ListForm';
import { Sections } from './Sections';

export default function Lists() {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const columns = useMemo<Column<PeopleList>[]>(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        sort: 'name',
        render: (l) => (
          <Group gap={8} wrap="nowrap" component="span" display="inline-flex">
            <Dot color={l.color} />
            {l.name}
          </Group>
        ),
      },
      {
        key: 'description',
        title: t('list.description'),
        from: 'md',
        render: (l) => (
          <Text size="sm" c="dimmed" lineClamp={1} maw={360}>
            {l.description ?? '–'}
          </Text>
        ),
      },
      { key: 'members', title: t('list.members'), align: 'right', render: (l) => <Num value={l.members_count} /> },
      { key: 'sendable', title: t('list.sendable'), render: (l) => <Share list={l} /> },
      { key: 'created', title: t('column.created'), sort: 'created_at', from: 'lg', render: (l) => <When at={l.created_at} /> },
    ],
    [t],
  );
  const add = can('recipients:manage') && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setMaking(true)}>
      {t('list.new')}
    </Button>
  );
  return (
    <Page title={t('sections.lists')} lead={t('list.lead')} above={[{ label: t('title'), to: '/recipients' }]} actions={add}>
      <Sections />
      <List
        path="/lists"
        label={t('sections.lists')}
        columns={columns}
        sort="-created_at"
        to={(l) => `/recipients/lists/${l.id}`}
        name={(l) => l.name}
        empty={{ title: t('list.empty'), text: t('list.emptyText'), action: add }}
      />
      {making && <ListForm onClose={() => setMaking(false)} then={(l) => void navigate({ to: `/recipients/lists/${l.id}` })} />}
    </Page>
  );
}

export function Dot({ color }: { color: string | null }) {
  return (
    <ColorSwatch
      component="span"
      size={11}
      color={color && CSS.supports('color', color) ? color : 'var(--mantine-color-gray-5)'}
      withShadow={false}
    />
  );
}

/** How many of a list campaigns may write to. */
export function Share({ list: l }: { list: PeopleList }) {
  const { t } = useTranslation('recipient');
  const f = useFormat();
  if (l.members_count === 0) return <Pale>–</Pale>;
  const words = t('list.of', { sendable: f.number(l.sendable_count), members: f.number(l.members_count) });
  return (
    <Group gap="xs" wrap="nowrap" miw={140}>
      <Progress value={(100 * l.sendable_count) / l.members_count} w={70} size="sm" aria-label={words} />
      <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
        {words}
      </Text>
    </Group>
  );
}
