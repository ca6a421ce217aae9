import { Badge, Button, Group, Text } from '@mantine/core';
import { type Column, type Filter, List, Page, Status, useCan, useGet, When } from '@shell';
import { IconDownload, IconUserPlus } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { BulkActions } from './BulkActions';
import { consentOptions, languageOptions, sourceOptions, yesNo } from './choices';
import { nameOf, type Recipient, secondNameOf } from './name';

/** How many a bulk action of the API takes. */
const mostInBulk = 5000;
const shownTags = 3;

export default function RecipientList() {
  const { t } = useTranslation('recipient');
  const can = useCan();
  const columns = useColumns();
  const filters = useFilters();
  const add = can('recipients:manage') && <Button component={Link} to="/recipients/new" leftSection={<IconUserPlus size={17} aria-hidden />}>{t('add')}</Button>;
  return (
    <Page title={t('title')} lead={t('lead')} actions={<><Export />{add}</>}>
      <List path="/recipients" label={t('title')} columns={columns} filters={filters} search={t('search')} sort="-created_at"
        to={(r) => `/recipients/${r.id}`} name={nameOf}
        bulk={can('recipients:manage') ? { actions: (s) => <BulkActions selection={s} />, most: mostInBulk } : undefined}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: add }} />
    </Page>
  );
}

/** The same list as CSV: the server streams every match. */
function Export() {
  const { t } = useTranslation('recipient');
  const search = useRouterState({ select: (s) => s.location.searchStr });
  const query = new URLSearchParams(search);
  query.delete('page');
  query.set('format', 'csv');
  return <Button component="a" variant="default" href={`/api/v1/recipients?${query}`} download leftSection={<IconDownload size={17} aria-hidden />}>{t('export')}</Button>;
}

function useColumns(): Column<Recipient>[] {
  const { t } = useTranslation('recipient');
  return useMemo(() => [
    { key: 'name', title: t('column.name'), sort: 'first_name', render: (r) => <>{nameOf(r)}{secondNameOf(r) && <Text span c="dimmed" size="sm" ml={6}>{secondNameOf(r)}</Text>}</> },
    { key: 'consent', title: t('column.consent'), render: (r) => <Group gap={4}><Status state={r.consent_status} label={t(`consent.${r.consent_status}`)} />{r.suppressed && <Status state="SUPPRESSED" label={t('suppressed')} />}</Group> },
    { key: 'tags', title: t('column.tags'), from: 'md', render: (r) => <Tags tags={r.tags} /> },
    { key: 'lists', title: t('column.lists'), from: 'lg', render: (r) => r.lists.map((l) => l.name).join(', ') || '–' },
    { key: 'messaged', title: t('column.messaged'), sort: 'last_messaged_at', render: (r) => <When at={r.last_messaged_at} /> },
    { key: 'created', title: t('column.created'), sort: 'created_at', from: 'md', render: (r) => <When at={r.created_at} /> },
  ], [t]);
}

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <>–</>;
  return (
    <Group gap={4}>
      {tags.slice(0, shownTags).map((tag) => <Badge key={tag} color="gray" c="var(--mantine-color-text)">{tag}</Badge>)}
      {tags.length > shownTags && <Text span size="xs" c="dimmed">+{tags.length - shownTags}</Text>}
    </Group>
  );
}

function useFilters(): Filter[] {
  const { t } = useTranslation('recipient');
  const { data: tags } = useGet('/recipients/tags', {});
  const { data: lists } = useGet('/lists', { query: { limit: 500 } });
  return useMemo(() => [
    { kind: 'choice', key: 'consent_status', label: t('column.consent'), options: consentOptions(t) },
    { kind: 'choice', key: 'list_id', label: t('filter.list'), options: (lists?.data ?? []).map((l) => ({ value: l.id, label: l.name })), searchable: true },
    { kind: 'tags', key: 'tag', label: t('column.tags'), options: (tags?.data ?? []).map((x) => x.tag) },
    { kind: 'choice', rare: true, key: 'language', label: t('field.language'), options: languageOptions(t) },
    { kind: 'choice', rare: true, key: 'source', label: t('field.source'), options: sourceOptions(t) },
    { kind: 'choice', rare: true, key: 'suppressed', label: t('suppressed'), options: yesNo(t, 'suppressed') },
    { kind: 'choice', rare: true, key: 'has_conversation', label: t('filter.conversations'), options: yesNo(t, 'conversation') },
    { kind: 'days', rare: true, from: 'created_from', to: 'created_to', label: t('column.created') },
  ], [t, tags, lists]);
}
