import { Accordion, Alert, Badge, Code, Grid, NavLink, Paper, ScrollArea, Select, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { Copy, Failed, Page, useListState, useMe } from '@shell';
import { ApiError, asApiError } from '@shell/api/error';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Document, groupsOf, type Operation, operationsOf, search } from './reference/document';
import { Entry } from './reference/Entry';

const source = '/api/v1/openapi.json';
const most = 60;
const filters = ['group'] as const;
const colors: Record<string, string> = { GET: 'blue', POST: 'green', PATCH: 'yellow', PUT: 'yellow', DELETE: 'red' };

/** The description of the API, which the service itself gives. */
async function load({ signal }: { signal: AbortSignal }): Promise<Document> {
  try {
    const response = await fetch(source, { signal });
    if (!response.ok) throw new ApiError({ code: 'unreadable_answer', message: `HTTP ${response.status}`, status: response.status });
    return (await response.json()) as Document;
  } catch (e) {
    throw asApiError(e);
  }
}

/** Every operation of the API, with requests to copy. */
export default function Reference() {
  const { t } = useTranslation('event');
  const { data, error, refetch } = useQuery<Document, ApiError>({ queryKey: ['openapi'], queryFn: load, staleTime: Infinity });
  const base = `${location.origin}${data?.servers?.[0]?.url ?? '/api/v1'}`;
  return (
    <Page title={t('reference.title')} lead={t('reference.lead')}>
      <Alert mb="md" variant="light" color="gray">
        <Text size="sm" mb={4}>
          {t('reference.how')}
        </Text>
        <Copy value={base} small />{' '}
        <Text size="sm" mt={4}>
          {t('reference.machine')} <a href={source}>openapi.json</a>
        </Text>
      </Alert>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={360} />}
      {data && <Browser document={data} base={base} />}
    </Page>
  );
}

function useGroupWord(): (g: string) => string {
  const { t } = useTranslation('event');
  return (g) => (i18next.exists(`tag.${g}`, { ns: 'event' }) ? t(`tag.${g}`) : g);
}

function Browser({ document: d, base }: { document: Document; base: string }) {
  const { t } = useTranslation('event');
  const word = useGroupWord();
  const administrator = useMe().user?.is_platform_admin ?? false;
  const state = useListState(filters);
  const [text, setText] = useState('');
  const all = useMemo(() => operationsOf(d, administrator), [d, administrator]);
  const groups = useMemo(() => groupsOf(all), [all]);
  const group = [state.filters.group ?? []].flat()[0] ?? groups[0]!;
  const choose = (g: string) => {
    setText('');
    state.set({ group: g });
  };
  const found = text.trim() ? search(all, text) : all.filter((o) => o.group === group);
  return (
    <Grid>
      <Grid.Col span={{ base: 12, sm: 4, lg: 3 }}>
        <TextInput
          type="search"
          mb="sm"
          placeholder={t('reference.search')}
          aria-label={t('reference.search')}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          leftSection={<IconSearch size={16} aria-hidden />}
        />
        <Select
          hiddenFrom="sm"
          mb="sm"
          aria-label={t('reference.groups')}
          data={groups.map((value) => ({ value, label: word(value) }))}
          value={group}
          onChange={(g) => g && choose(g)}
          allowDeselect={false}
        />
        <ScrollArea.Autosize mah="70vh" visibleFrom="sm" component="nav" aria-label={t('reference.groups')}>
          {groups.map((g) => (
            <NavLink
              key={g}
              component="button"
              label={word(g)}
              active={!text && g === group}
              aria-current={!text && g === group ? 'true' : undefined}
              onClick={() => choose(g)}
              py={5}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          ))}
        </ScrollArea.Autosize>
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 8, lg: 9 }}>
        <Paper>
          <Title order={2} mb="sm">
            {text.trim() ? t('reference.found', { count: found.length }) : word(group)}
          </Title>
          <Accordion key={text.trim() ? 'search' : group} variant="separated" order={3}>
            {found.slice(0, most).map((o) => (
              <One key={o.operationId} document={d} operation={o} base={base} />
            ))}
          </Accordion>
          {found.length > most && (
            <Text size="sm" c="dimmed" mt="sm">
              {t('reference.narrow', { count: found.length - most })}
            </Text>
          )}
        </Paper>
      </Grid.Col>
    </Grid>
  );
}

/** The details of an operation are made when it is opened first. */
function One({ document, operation: o, base }: { document: Document; operation: Operation; base: string }) {
  const [seen, setSeen] = useState(false);
  return (
    <Accordion.Item value={o.operationId} data-operation={o.operationId}>
      <Accordion.Control onClick={() => setSeen(true)}>
        <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
          <Badge mr="xs" miw={62} color={colors[o.method] ?? 'gray'} c="var(--mantine-color-text)">
            {o.method}
          </Badge>
          <Code>{o.path}</Code>
        </Text>
        <Text size="sm" c="dimmed" mt={2}>
          {o.summary}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>{seen && <Entry document={document} operation={o} base={base} />}</Accordion.Panel>
    </Accordion.Item>
  );
}
