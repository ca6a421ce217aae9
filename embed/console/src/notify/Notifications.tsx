import { Button, Group } from '@mantine/core';
import { type Column, type Filter, List, Page, useGet, useSupport } from '@shell';
import { IconChecks } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from './Notice';
import { useRead } from './read';
import type { Notice as Shown } from './words';

const one = { query: { limit: 8 } };

/** Everything of the last 90 days that the person should know. */
export default function Notifications() {
  const { t } = useTranslation('notify');
  const support = useSupport();
  const { data } = useGet('/notifications', one); // the question of the bell: how many are unread
  const all = useRead(t('allRead'));
  const read = useRead();
  const columns = useMemo<Column<Shown>[]>(
    () => [
      {
        key: 'what',
        title: t('what'),
        render: (n) => (
          <Notice
            notice={n}
            onOpen={() => {
              if (!n.read_at && !support) void read.run({ body: { ids: [n.id] } });
            }}
          />
        ),
      },
      {
        key: 'act',
        title: '',
        align: 'right',
        render: (n) =>
          !n.read_at &&
          !support && (
            <Button size="compact-sm" variant="subtle" onClick={() => void read.run({ body: { ids: [n.id] } })}>
              {t('read')}
            </Button>
          ),
      },
    ],
    [t, support, read.run],
  );
  const filters = useMemo<Filter[]>(
    () => [{ kind: 'choice', key: 'unread', label: t('filter'), options: [{ value: 'true', label: t('onlyUnread') }] }],
    [t],
  );
  const unread = data?.unread_count ?? 0;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        unread > 0 &&
        !support && (
          <Button
            variant="default"
            leftSection={<IconChecks size={17} aria-hidden />}
            loading={all.pending}
            onClick={() => void all.run({ body: { all: true } })}
          >
            {t('readAll')}
          </Button>
        )
      }
    >
      <List
        path="/notifications"
        label={t('title')}
        columns={columns}
        filters={filters}
        name={(n) => n.title}
        bulk={
          support
            ? undefined
            : {
                actions: (s) => (
                  <Group gap="xs">
                    <Button size="compact-sm" variant="default" onClick={() => void read.run({ body: { ids: [...s.ids] } }).then(s.clear)}>
                      {t('read')}
                    </Button>
                  </Group>
                ),
              }
        }
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
    </Page>
  );
}
