import { Button, Stack, Switch, Text } from '@mantine/core';
import { Beside, type Column, Confirm, List, Page, useAction, useCan, useGet } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AutomationDialog } from './AutomationDialog';
import { TryBox } from './TryBox';
import type { Automation } from './types';

/** Rules that answer comments in private. */
export default function Automations() {
  const { t } = useTranslation('channel');
  const can = useCan();
  const { data: accounts } = useGet('/channels/accounts', { query: { limit: 100 } });
  const [edited, setEdited] = useState<Automation | 'new'>();
  const [removed, setRemoved] = useState<Automation>();
  const change = useAction('patch', '/channels/automations/{id}', { stale: ['/channels/automations'], done: t('saved') });
  const remove = useAction('delete', '/channels/automations/{id}', {
    stale: ['/channels/automations'],
    done: t('automation.deleted'),
    then: () => setRemoved(undefined),
  });
  const manages = can('accounts:manage');
  const columns = useMemo<Column<Automation>[]>(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        render: (a) => (
          <>
            {a.name}
            <Beside>{a.account?.name}</Beside>
          </>
        ),
      },
      {
        key: 'when',
        title: t('automation.when'),
        render: (a) => (
          <Text size="sm" lineClamp={2} maw={300}>
            {a.trigger === 'KEYWORDS' ? a.keywords.join(', ') : t('automation.trigger.JEV_PURCHASE_INTEREST')}
          </Text>
        ),
      },
      {
        key: 'sent',
        title: t('automation.sent'),
        render: (a) => t('automation.stats', { sent: a.stats.sent, matched: a.stats.matched }),
      },
      {
        key: 'on',
        title: t('automation.on'),
        render: (a) => (
          <Switch
            aria-label={t('automation.switch', { name: a.name })}
            checked={a.enabled}
            disabled={!manages}
            onChange={(e) => void change.run({ path: { id: a.id }, body: { enabled: e.currentTarget.checked } } as never)}
          />
        ),
      },
      {
        key: 'act',
        title: '',
        render: (a) =>
          manages && (
            <>
              <Button size="compact-sm" variant="subtle" onClick={() => setEdited(a)} aria-label={t('automation.editOf', { name: a.name })}>
                {t('automation.edit')}
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                onClick={() => setRemoved(a)}
                aria-label={t('automation.removeOf', { name: a.name })}
              >
                {t('automation.remove')}
              </Button>
            </>
          ),
      },
    ],
    [t, manages, change.run],
  );
  const list = (accounts?.data ?? []).filter((a) => a.platform !== 'VIDEO_NETWORK'); // it has no private replies
  const add = manages && list.length > 0 && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEdited('new')}>
      {t('automation.add')}
    </Button>
  );
  return (
    <Page title={t('automation.title')} lead={t('automation.lead')} above={[{ label: t('title'), to: '/channels' }]} actions={add}>
      <Stack>
        <List
          path="/channels/automations"
          label={t('automation.title')}
          columns={columns}
          name={(a) => a.name}
          empty={{ title: t('automation.empty'), text: t(list.length > 0 ? 'automation.emptyText' : 'automation.noAccount'), action: add }}
        />
        {list.length > 0 && <TryBox accounts={list} />}
      </Stack>
      {edited && (
        <AutomationDialog accounts={list} automation={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {removed && (
        <Confirm
          danger
          title={t('automation.removeTitle', { name: removed.name })}
          consequence={t('automation.removeText')}
          act={t('automation.remove')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: removed.id } })}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  );
}
