import { personName } from '@kit';
import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import {
  codeWord,
  type Column,
  Dialog,
  Failed,
  type Filter,
  Link,
  List,
  NamedThing,
  Status,
  useCan,
  useGet,
  useNavigate,
  When,
} from '@shell';
import { IconDownload, IconSortDescending } from '@tabler/icons-react';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Campaign, type Outcome, outcomes } from './model';

/** Error codes that a person may ask for by name. */
export const errorCodes = [
  'PEER_UNRESOLVABLE',
  'USERNAME_REASSIGNED',
  'PRIVACY_RESTRICTED',
  'PEER_BLOCKED',
  'PEER_DEACTIVATED',
  'PEER_IS_BOT',
  'INTERNAL',
] as const;

/** What became of each person, and why somebody did not get it. */
export function People({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const [asked, setAsked] = useState<Outcome>();
  const columns = useColumns(setAsked);
  const filters = useFilters(c);
  const failedFirst = useRouterState({ select: (s) => (s.location.search as { sort?: string }).sort === 'failed_first' });
  const navigate = useNavigate();
  const address = useRouterState({ select: (s) => s.location.searchStr });
  return (
    <>
      <Group justify="flex-end" gap="xs" mb="xs">
        <Button
          size="compact-md"
          variant="default"
          aria-pressed={failedFirst}
          leftSection={<IconSortDescending size={16} aria-hidden />}
          onClick={() =>
            void navigate({
              to: '.',
              search: ((now: object) => ({ ...now, page: undefined, sort: failedFirst ? undefined : 'failed_first' })) as never,
              replace: true,
              resetScroll: false,
            })
          }
        >
          {t(failedFirst ? 'people.newestFirst' : 'people.failedFirst')}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          component="a"
          href={csvOf(c.id, address)}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('people.export')}
        </Button>
      </Group>
      <List
        path="/campaigns/{id}/recipients"
        params={{ id: c.id }}
        label={t('tab.people')}
        columns={columns}
        filters={filters}
        search={t('people.search')}
        name={(r) => personName(r.recipient)}
        empty={{ title: t('people.none'), text: t('people.noneText') }}
      />
      {asked && <Why campaign={c} row={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** Where the people that the list shows are served as a file; the list asks with the same filters. */
export function csvOf(id: string, search: string): string {
  const query = new URLSearchParams(search);
  for (const own of ['tab', 'page']) query.delete(own);
  if ((query.get('q') ?? '').trim().length < 2) query.delete('q');
  query.set('format', 'csv');
  return `/api/v1/campaigns/${id}/recipients?${query}`;
}

function useColumns(ask: (r: Outcome) => void): Column<Outcome>[] {
  const { t } = useTranslation('campaign');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('people.person'),
        render: (r) => <Link to={`/recipients/${r.recipient.id}`}>{personName(r.recipient)}</Link>,
      },
      {
        key: 'state',
        title: t('people.outcome'),
        render: (r) => <Status state={r.status} label={t(`outcome.${r.status}`)} color={r.status === 'UNREACHABLE' ? 'red' : undefined} />,
      },
      { key: 'why', title: t('people.why'), render: (r) => <Reason row={r} onAsk={() => ask(r)} /> },
      { key: 'account', title: t('accounts.account'), from: 'lg', render: (r) => <NamedThing of={r.account} /> },
      { key: 'sent', title: t('people.sent'), from: 'md', render: (r) => <When at={r.sent_at} /> },
      { key: 'read', title: t('people.read'), from: 'lg', render: (r) => <When at={r.read_at} /> },
      { key: 'replied', title: t('people.replied'), from: 'lg', render: (r) => <When at={r.replied_at} /> },
    ],
    [t, ask],
  );
}

function useFilters(c: Campaign): Filter[] {
  const { t } = useTranslation('campaign');
  const { data: accounts } = useGet('/accounts', { query: { limit: 500 } });
  // A reason of the figures may be one that is seldom asked for.
  const { error_code: code } = useSearch({ strict: false }) as { error_code?: string | string[] };
  const asked = useMemo(() => (code ? [code].flat() : []), [code]);
  return useMemo(
    () => [
      {
        kind: 'choice',
        key: 'status',
        label: t('people.outcome'),
        options: outcomes.map((value) => ({ value, label: t(`outcome.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'error_code',
        label: t('people.why'),
        options: [...new Set([...errorCodes, ...asked])].map((value) => ({ value, label: codeWord(value) })),
      },
      {
        kind: 'choice',
        key: 'account_id',
        label: t('accounts.account'),
        options: (accounts?.data ?? [])
          .filter((a) => c.account_ids.includes(a.id))
          .map((a) => ({ value: a.id, label: a.label || a.first_name || a.phone_masked })),
      },
    ],
    [t, accounts, c.account_ids, asked],
  );
}

/** Nobody asks why somebody did not get it before his turn came. */
const waits: ReadonlySet<Outcome['status']> = new Set(['PENDING', 'QUEUED', 'SENDING'] as const);

/** In words why a person did not get it, or the way to find out. */
function Reason({ row: r, onAsk }: { row: Outcome; onAsk: () => void }) {
  const { t } = useTranslation('campaign');
  const words = useReason();
  const said = words(r);
  if (r.status === 'DELIVERED' || waits.has(r.status))
    return (
      <Text span size="sm" c="dimmed">
        –
      </Text>
    );
  return (
    <Text span size="sm">
      {said}{' '}
      <Anchor component="button" type="button" size="sm" onClick={onAsk}>
        {t('people.ask')}
      </Anchor>
    </Text>
  );
}

function useReason(): (r: Outcome) => string {
  const { t } = useTranslation('campaign');
  return (r) => {
    if (r.skip_reason) return t(`skip.${r.skip_reason}`);
    return r.error_code ? codeWord(r.error_code) : '';
  };
}

/** Why this person did not get this campaign, and whether they could now. */
function Why({ campaign: c, row: r, onClose }: { campaign: Campaign; row: Outcome; onClose: () => void }) {
  const { t } = useTranslation('campaign');
  const can = useCan();
  const words = useReason();
  const { data, error, refetch } = useGet(
    '/recipients/{id}/reachability',
    { path: { id: r.recipient.id }, query: { campaign_id: c.id } },
    { enabled: can('recipients:read') },
  );
  return (
    <Dialog onClose={onClose} title={t('people.whyTitle', { name: personName(r.recipient) })}>
      <Stack>
        <div>
          <Text size="sm" c="dimmed">
            {t('people.then')}
          </Text>
          <Text component="div">
            <Status state={r.status} label={t(`outcome.${r.status}`)} color={r.status === 'UNREACHABLE' ? 'red' : undefined} /> {words(r)}
          </Text>
          {r.attempts > 1 && <Text size="sm">{t('people.attempts', { count: r.attempts })}</Text>}
        </div>
        <div>
          <Text size="sm" c="dimmed">
            {t('people.nowTitle')}
          </Text>
          {error && <Failed error={error} onAgain={() => void refetch()} />}
          {!data && !error && can('recipients:read') && <Skeleton h={40} />}
          {data?.reachable && <Text>{t('people.reachable')}</Text>}
          {data && !data.reachable && data.reasons.map((x) => <Text key={x.code}>{codeWord(x.code)}</Text>)}
        </div>
        <Button variant="default" component={Link} to={`/recipients/${r.recipient.id}`}>
          {t('people.open')}
        </Button>
      </Stack>
    </Dialog>
  );
}
