import { Alert, Button, Checkbox, Paper, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { Empty, Failed, Link, Status, useFormat, useGet } from '@shell';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { finishOf, useEstimate } from '../estimate';
import { accountName, mayChange } from '../model';
import type { StepProps } from './draft';

/** Which accounts send, what each has room for today, and how long it would take. */
export function Accounts({ campaign: c, draft }: StepProps) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const [chosen, setChosen] = useState<readonly string[]>(c.account_ids);
  const free = mayChange(c, 'account_ids');
  const { data, error, refetch } = useGet('/accounts', { query: { limit: 500 } });
  const report = useEstimate(c, draft.state === 'saved');
  // Where there is one account there is nothing to choose.
  const only = data?.data.length === 1 && data.data[0]!.status === 'ACTIVE' ? data.data[0]!.id : undefined;
  useEffect(() => {
    if (!only || c.status !== 'DRAFT' || c.account_ids.length > 0) return;
    setChosen([only]);
    draft.change({ account_ids: [only] });
  }, [only]);
  if (error && !data) return <Failed error={error} onAgain={() => void refetch()} />;
  if (!data) return <Skeleton h={200} />;
  if (data.data.length === 0)
    return (
      <Paper>
        <Empty
          title={t('accounts.none')}
          text={t('accounts.noneText')}
          action={
            <Button component={Link} to="/accounts/new">
              {t('accounts.connect')}
            </Button>
          }
        />
      </Paper>
    );
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((x) => x !== id) : [...chosen, id];
    setChosen(next);
    draft.change({ account_ids: next as string[] });
  };
  const using = data.data.filter((a) => chosen.includes(a.id) && a.status === 'ACTIVE');
  const finish = report ? finishOf(c, report) : null;
  const removed = c.status !== 'DRAFT' && c.account_ids.some((id) => !chosen.includes(id));
  return (
    <Paper>
      <Stack>
        <Text size="sm">{t(free ? 'accounts.lead' : 'accounts.locked')}</Text>
        {draft.errors.account_ids && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {draft.errors.account_ids}
          </Text>
        )}
        <Table aria-label={t('step.accounts')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={40}>
                <VisuallyHidden>{t('accounts.chosen')}</VisuallyHidden>
              </Table.Th>
              <Table.Th>{t('accounts.account')}</Table.Th>
              <Table.Th>{t('column.state')}</Table.Th>
              <Table.Th ta="right" visibleFrom="xs">
                {t('accounts.room')}
              </Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                {t('accounts.pace')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((a) => (
              <Table.Tr key={a.id}>
                <Table.Td>
                  <Checkbox
                    size="xs"
                    checked={chosen.includes(a.id)}
                    disabled={!free || (chosen.length >= 50 && !chosen.includes(a.id))}
                    onChange={() => toggle(a.id)}
                    id={a.id}
                  />
                </Table.Td>
                <Table.Td>
                  <Text component="label" htmlFor={a.id} size="sm" style={{ cursor: free ? 'pointer' : undefined }}>
                    {accountName(a)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Status state={a.status} label={t(`accountState.${a.status}`)} />
                </Table.Td>
                <Table.Td ta="right" visibleFrom="xs">
                  {t('accounts.of', { left: f.number(a.remaining_today), limit: f.number(a.daily_limit) })}
                </Table.Td>
                <Table.Td ta="right" visibleFrom="sm">
                  {t('accounts.every', { count: a.min_interval_seconds })}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {removed && <Alert color="yellow">{t('accounts.removed')}</Alert>}
        {chosen.length > 0 && using.length === 0 && <Alert color="red">{t('accounts.noneActive')}</Alert>}
        {using.length > 0 && report && (
          <Text size="sm" fw={550} aria-live="polite">
            {t('accounts.people', { people: f.number(report.audience.sendable) })}{' '}
            {finish ? t('accounts.finish', { at: f.time(finish) }) : t('accounts.never')}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
