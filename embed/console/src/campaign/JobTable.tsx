import { Text } from '@mantine/core';
import { codeWord, type Column, type Filter, List, type Schema, Status, NamedThing, useCan, useFormat, useGet, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { accountName } from './model';

type Job = Schema<'SendShown'>;

const kinds = ['CAMPAIGN', 'TEST', 'REPLY'] as const;
const jobStates = ['QUEUED', 'RUNNING', 'RETRY', 'DONE', 'FAILED', 'SKIPPED', 'CANCELLED'] as const;

/** Messages on their way and what became of them; of one campaign, or of all. */
export function JobTable({ campaign }: { campaign?: string }) {
  const { t } = useTranslation('campaign');
  const columns = useColumns(campaign !== undefined);
  const filters = useFilters(campaign !== undefined);
  return (
    <List
      path="/jobs"
      label={t('jobs.title')}
      columns={columns}
      filters={filters}
      fixed={campaign ? { campaign_id: campaign } : undefined}
      name={(j) => `${t(`kind.${j.kind}`)}, ${t(`job.${j.status}`)}`}
      empty={{ title: t('jobs.none'), text: t('jobs.noneText') }}
    />
  );
}

function useColumns(ofOne: boolean): Column<Job>[] {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const can = useCan();
  return useMemo(() => {
    const all: (Column<Job> | false)[] = [
      {
        key: 'state',
        title: t('column.state'),
        render: (j) => (
          <Status state={j.status === 'DONE' ? 'DELIVERED' : j.status === 'RETRY' ? 'RETRYING' : j.status} label={t(`job.${j.status}`)} />
        ),
      },
      !ofOne && { key: 'kind', title: t('jobs.kind'), from: 'md', render: (j) => t(`kind.${j.kind}`) },
      {
        key: 'person',
        title: t('people.person'),
        render: (j) => (can('recipients:read') ? <NamedThing of={j.recipient} /> : '–'),
      },
      !ofOne && { key: 'campaign', title: t('campaign'), render: (j) => <NamedThing of={j.campaign} /> },
      { key: 'account', title: t('accounts.account'), from: 'md', render: (j) => <NamedThing of={j.account} /> },
      { key: 'when', title: t('jobs.when'), render: (j) => <When at={j.finished_at ?? j.run_at} /> },
      {
        key: 'attempts',
        title: t('jobs.attempts'),
        from: 'lg',
        align: 'right',
        render: (j) => `${f.number(j.attempts)} / ${f.number(j.max_attempts)}`,
      },
      {
        key: 'why',
        title: t('people.why'),
        render: (j) => (
          <Text span size="sm">
            {j.error_code ? codeWord(j.error_code) : '–'}
          </Text>
        ),
      },
    ];
    return all.filter((c) => c !== false);
  }, [t, f, can, ofOne]);
}

function useFilters(ofOne: boolean): Filter[] {
  const { t } = useTranslation('campaign');
  const { data: accounts } = useGet('/accounts', { query: { limit: 500 } });
  const { data: campaigns } = useGet('/campaigns', { query: { limit: 100 } }, { enabled: !ofOne });
  return useMemo(() => {
    const all: (Filter | false)[] = [
      { kind: 'choice', key: 'status', label: t('column.state'), options: jobStates.map((value) => ({ value, label: t(`job.${value}`) })) },
      !ofOne && {
        kind: 'choice',
        key: 'kind',
        label: t('jobs.kind'),
        options: kinds.map((value) => ({ value, label: t(`kind.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'account_id',
        label: t('accounts.account'),
        searchable: true,
        options: (accounts?.data ?? []).map((a) => ({ value: a.id, label: accountName(a) })),
      },
      !ofOne && {
        kind: 'choice',
        key: 'campaign_id',
        label: t('campaign'),
        searchable: true,
        options: (campaigns?.data ?? []).map((c) => ({ value: c.id, label: c.name })),
      },
      { kind: 'days', rare: true, from: 'from', to: 'to', label: t('jobs.days') },
    ];
    return all.filter((x) => x !== false);
  }, [t, accounts, campaigns, ofOne]);
}
