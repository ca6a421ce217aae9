// Small parts of the pages of this feature.
import { Anchor, DataList, type MantineColor, Paper, Stack, Text, Title } from '@mantine/core';
import { type Format, Link, Pale, Status, useGet } from '@shell';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Colours of states that only this feature shows. */
const own: Record<string, MantineColor> = {
  UNREACHABLE: 'red',
  AUTH_FAILED: 'red',
  UNCHECKED: 'gray',
  OPEN: 'yellow',
  INVESTIGATING: 'blue',
  RESOLVED: 'green',
  DISMISSED: 'gray',
  ALIVE: 'green',
  GONE: 'red',
  pending: 'blue',
  active: 'green',
  scheduled: 'gray',
  retry: 'yellow',
  archived: 'red',
  CRITICAL: 'red',
  WARNING: 'yellow',
  INFO: 'blue',
  SUSPENDED: 'red',
};

/** The headings of a table that is no list of the API, as those of lists look. */
export const listHead = { th: { color: 'var(--mantine-color-dimmed)', fontSize: 'var(--mantine-font-size-xs)' } } as const;

export type StateKind = 'organization' | 'user' | 'account' | 'proxy' | 'campaign' | 'task' | 'worker' | 'report' | 'support';

/** A state of one of the kinds, in words and in its colour. */
export function State({ kind, state }: { kind: StateKind; state: string }) {
  const { t } = useTranslation('admin');
  return <Status state={state} label={t(`state.${kind}.${state}`)} color={own[state]} />;
}

/** The word for a value where we have one, else the value as it is. */
export function wordOr(key: string, value: string): string {
  return i18next.exists(key, { ns: 'admin' }) ? i18next.t(key as never, { ns: 'admin' }) : value;
}

/** A paragraph of a page with a title of its own. */
export function Part({ title, lead, action, children }: { title: string; lead?: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <Paper component="section" mb="md">
      <Stack gap="sm">
        <div style={{ display: 'flex', justifyContent: 'space-between', gap: 8, flexWrap: 'wrap' }}>
          <div>
            <Title order={2}>{title}</Title>
            {lead && (
              <Text size="sm" c="dimmed">
                {lead}
              </Text>
            )}
          </div>
          {action}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}

/** What is known about something, a line each. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <DataList orientation="horizontal" labelWidth="min(160px, 36%)">
      {children}
    </DataList>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{children || '–'}</DataList.ItemValue>
    </DataList.Item>
  );
}

/** An organization by its name, leading to its page. One that is gone has none. */
export function OrgLink({ of }: { of: { id: string; name: string | null } }) {
  const { t } = useTranslation('admin');
  if (!of.name) return <Pale>{t('goneOrganization')}</Pale>;
  return (
    <Anchor component={Link} to={`/admin/organizations/${of.id}`} size="sm" c="inherit" underline="always">
      {of.name}
    </Anchor>
  );
}

/** As many as one answer of the API may have. */
export const mostOfAList = 500;

/** The organizations, for filters and fields. */
export function useOrganizations(): { value: string; label: string }[] {
  const { data } = useGet('/admin/organizations', { query: { limit: mostOfAList } });
  return (data?.data ?? []).map((o) => ({ value: o.id, label: o.name }));
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size as people say it. */
export function sizeText(bytes: number, f: Pick<Format, 'measure'>): string {
  let n = bytes;
  let i = 0;
  while (n >= 1000 && i < units.length - 1) {
    n /= 1000;
    i++;
  }
  return f.measure(n, units[i]!, n < 10 && i > 0 ? 1 : 0);
}

/** A span of seconds in the largest two units that it fills. */
export function spanText(seconds: number, f: Pick<Format, 'measure'>): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const) {
    const n = Math.floor(rest / size);
    rest -= n * size;
    if (n > 0 || (unit === 'second' && parts.length === 0)) parts.push(f.measure(n, unit));
    if (parts.length === 2) break;
  }
  return parts.join(' ');
}
