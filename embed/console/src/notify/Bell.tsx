import { ActionIcon, Button, Divider, Group, Indicator, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { Failed, Link, useGet, useSupport } from '@shell';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from './Notice';
import { useRead } from './read';

const shown = 8;

/** The bell at the top of every page. */
export default function Bell() {
  const { t } = useTranslation('notify');
  const [open, setOpen] = useState(false);
  const support = useSupport();
  const { data, error, refetch } = useGet('/notifications', { query: { limit: shown } });
  const read = useRead();
  const unread = data?.unread_count ?? 0;
  const mark = (id: string) => {
    if (!support) void read.run({ body: { ids: [id] } });
  };
  return (
    <Popover width={380} position="bottom-end" opened={open} onChange={setOpen} trapFocus withRoles>
      <Indicator label={unread > 99 ? '99+' : unread} size={17} disabled={unread === 0} color="red.8" offset={5}>
        <Popover.Target>
          <ActionIcon size="lg" onClick={() => setOpen(!open)} aria-label={unread > 0 ? t('bell', { count: unread }) : t('title')}>
            <IconBell size={21} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} maw="calc(100vw - 24px)" aria-label={t('title')}>
        <Group justify="space-between" p="sm">
          <Text fw={650}>{t('title')}</Text>
          {unread > 0 && !support && (
            <Button size="compact-xs" variant="subtle" loading={read.pending} onClick={() => void read.run({ body: { all: true } })}>
              {t('readAll')}
            </Button>
          )}
        </Group>
        <Divider />
        <ScrollArea.Autosize mah="60vh" type="auto">
          <Stack gap="md" p="sm">
            {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
            {data?.data.length === 0 && (
              <Text size="sm" c="dimmed" ta="center" py="md">
                {t('empty.text')}
              </Text>
            )}
            {data?.data.map((n) => (
              <Notice
                key={n.id}
                notice={n}
                onOpen={() => {
                  setOpen(false);
                  if (!n.read_at) mark(n.id);
                }}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Divider />
        <Button component={Link} to="/notifications" variant="subtle" fullWidth radius={0} onClick={() => setOpen(false)}>
          {t('all')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
