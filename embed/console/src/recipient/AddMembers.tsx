import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Dialog, useAction, useGet } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PeopleList } from './list';
import { nameOf, secondNameOf } from './name';

const typing = 250;
const most = 5000;

/** Puts people who are recipients already into a list. */
export function AddMembers({ list, onClose }: { list: PeopleList; onClose: () => void }) {
  const { t } = useTranslation(['recipient', 'shell']);
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim().replace(/^@/, ''), typing);
  const [chosen, setChosen] = useState<string[]>([]);
  const [names, setNames] = useState<Record<string, string>>({});
  const { data, isFetching } = useGet('/recipients', { query: { limit: 20, q: q.length > 1 ? q : undefined } }, { keep: true });
  const add = useAction('post', '/lists/{id}/members', {
    stale: ['/lists', '/recipients'],
    then: onClose,
    done: (a) => t('list.added', { count: a.added }) + (a.already ? ` ${t('list.already', { count: a.already })}` : ''),
  });
  const found = (data?.data ?? []).map((r) => ({ value: r.id, label: [nameOf(r), secondNameOf(r)].filter(Boolean).join(' · ') }));
  // Who was chosen stays named when the search goes on.
  const options = [
    ...chosen.filter((id) => !found.some((o) => o.value === id)).map((id) => ({ value: id, label: names[id] ?? id })),
    ...found,
  ];
  const choose = (ids: string[]) => {
    setNames((before) => ({ ...before, ...Object.fromEntries(options.map((o) => [o.value, o.label])) }));
    setChosen(ids);
  };
  return (
    <Dialog onClose={onClose} title={t('list.addTitle', { name: list.name })}>
      <Stack>
        <MultiSelect
          label={t('list.who')}
          description={t('search')}
          data={options}
          value={chosen}
          onChange={choose}
          searchable
          searchValue={search}
          onSearchChange={setSearch}
          filter={({ options: all }) => all}
          maxValues={most}
          nothingFoundMessage={isFetching ? t('shell:loading') : t('shell:list.nothing')}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          {t('list.addHint')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button
            disabled={chosen.length === 0}
            loading={add.pending}
            onClick={() => void add.run({ path: { id: list.id }, body: { recipient_ids: chosen } })}
          >
            {t('list.addCount', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
