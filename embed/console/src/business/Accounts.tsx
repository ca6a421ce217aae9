import { Alert, Button, Group, Paper, Skeleton, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Empty, Failed, Link, type Schema, Unsaved, useAction, useCan, useGet } from '@shell';
import { useTranslation } from 'react-i18next';
import { Wrong } from './parts';
import { type Business, whole } from './types';

/** For which accounts a business answers, and in which of them its seller acts. */
export default function Accounts({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const path = { id: b.id };
  const mapped = useGet('/ai/businesses/{id}/accounts', { path });
  const accounts = useGet('/accounts', { query: whole });
  const settings = useGet('/ai/businesses/{id}/seller-settings', { path });
  const error = mapped.error ?? accounts.error;
  if (!mapped.data || !accounts.data)
    return error ? <Failed error={error} onAgain={() => void (mapped.refetch(), accounts.refetch())} /> : <Skeleton h={160} />;
  if (accounts.data.total === 0)
    return (
      <Paper p={0}>
        <Empty
          title={t('accounts.empty')}
          text={t('accounts.emptyText')}
          action={
            <Button component={Link} to="/accounts/new">
              {t('accounts.connect')}
            </Button>
          }
        />
      </Paper>
    );
  const names = new Map(accounts.data.data.map((a) => [a.id, nameOf(a)]));
  for (const m of mapped.data.accounts) names.set(m.account_id, m.account?.name ?? m.account_id);
  return (
    <Stack>
      {settings.data && !settings.data.active && (
        <Alert color="yellow" title={t('accounts.offTitle')}>
          <Text size="sm" mb="xs">
            {t('accounts.off')}
          </Text>
          <Button component={Link} to={`/ai/businesses/${b.id}`} search={{ tab: 'seller' } as never} variant="default" size="compact-sm">
            {t('tab.seller')}
          </Button>
        </Alert>
      )}
      <Mapping
        key={JSON.stringify(mapped.data.accounts)}
        business={b.id}
        names={names}
        initial={Object.fromEntries(mapped.data.accounts.map((m) => [m.account_id, m.ai_enabled]))}
      />
    </Stack>
  );
}

/** What an account is called: by its label, else by the name at the messenger, else by the number. */
const nameOf = (a: Schema<'AccountShown'>): string =>
  a.label || [a.first_name, a.last_name].filter(Boolean).join(' ') || (a.username ? `@${a.username}` : a.phone_masked);

interface Props {
  business: string;
  names: ReadonlyMap<string, string>;
  /** The accounts that are mapped, each with whether the seller acts in it. */
  initial: Record<string, boolean>;
}

function Mapping({ business, names, initial }: Props) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const form = useForm({ initialValues: { accounts: initial } });
  const put = useAction('put', '/ai/businesses/{id}/accounts', {
    form,
    stale: ['/ai/businesses/{id}/accounts', '/accounts', '/ai/conversations'],
    done: t('saved'),
  });
  const on = form.values.accounts;
  const set = (id: string, enabled: boolean | undefined) => {
    const { [id]: _, ...rest } = on;
    form.setFieldValue('accounts', enabled === undefined ? rest : { ...rest, [id]: enabled });
  };
  const save = form.onSubmit((v) => {
    const accounts = Object.entries(v.accounts).map(([account_id, ai_enabled]) => ({ account_id, ai_enabled }));
    void put.run({ path: { id: business }, body: { accounts } });
  });
  return (
    <Paper component="form" onSubmit={save} noValidate>
      <Unsaved form={form} />
      <Title order={2}>{t('tab.accounts')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('accounts.lead')}
      </Text>
      <Table verticalSpacing="xs" aria-label={t('tab.accounts')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('accounts.account')}</Table.Th>
            <Table.Th>{t('accounts.answers')}</Table.Th>
            <Table.Th>{t('accounts.acts')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...names].map(([id, name]) => (
            <Table.Tr key={id} data-account={name}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
              <Table.Td>
                <Switch
                  aria-label={`${t('accounts.answers')}: ${name}`}
                  checked={id in on}
                  disabled={!may}
                  onChange={(e) => set(id, e.currentTarget.checked ? true : undefined)}
                />
              </Table.Td>
              <Table.Td>
                <Switch
                  aria-label={`${t('accounts.acts')}: ${name}`}
                  checked={on[id] ?? false}
                  disabled={!may || !(id in on)}
                  onChange={(e) => set(id, e.currentTarget.checked)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Wrong errors={form.errors} shown={() => false} />
      {may && (
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={put.pending}>
            {t('save')}
          </Button>
        </Group>
      )}
    </Paper>
  );
}
