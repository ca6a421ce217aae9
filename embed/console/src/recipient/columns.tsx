// The columns and the filters of people, for every list of them.
import { Beside, type Column, type Filter, Inline, Pale, Status, Tag, useGet, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { consentOptions, languageOptions, sourceOptions, yesNo } from './choices';
import { nameOf, type Recipient, secondNameOf } from './name';

const shownTags = 3;

export function useColumns(): Column<Recipient>[] {
  const { t } = useTranslation('recipient');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('column.name'),
        sort: 'first_name',
        render: (r) => (
          <>
            {nameOf(r)}
            {secondNameOf(r) && <Beside>{secondNameOf(r)}</Beside>}
          </>
        ),
      },
      {
        key: 'consent',
        title: t('column.consent'),
        render: (r) => (
          <Inline>
            <Status state={r.consent_status} label={t(`consent.${r.consent_status}`)} />
            {r.suppressed && <Status state="SUPPRESSED" label={t('suppressed')} />}
          </Inline>
        ),
      },
      { key: 'tags', title: t('column.tags'), from: 'md', render: (r) => <Tags tags={r.tags} /> },
      { key: 'lists', title: t('column.lists'), from: 'lg', render: (r) => r.lists.map((l) => l.name).join(', ') || '–' },
      { key: 'messaged', title: t('column.messaged'), sort: 'last_messaged_at', render: (r) => <When at={r.last_messaged_at} /> },
      { key: 'created', title: t('column.created'), sort: 'created_at', from: 'md', render: (r) => <When at={r.created_at} /> },
    ],
    [t],
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <>–</>;
  return (
    <Inline>
      {tags.slice(0, shownTags).map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
      {tags.length > shownTags && <Pale>+{tags.length - shownTags}</Pale>}
    </Inline>
  );
}

/** byList: people of every list are shown, so that one can be chosen. */
export function useFilters(byList: boolean): Filter[] {
  const { t } = useTranslation('recipient');
  const { data: tags } = useGet('/recipients/tags', {});
  const { data: lists } = useGet('/lists', { query: { limit: 500, sort: 'name' } }, { enabled: byList });
  return useMemo(() => {
    const list: Filter = {
      kind: 'choice',
      key: 'list_id',
      label: t('filter.list'),
      options: (lists?.data ?? []).map((l) => ({ value: l.id, label: l.name })),
      searchable: true,
    };
    return [
      { kind: 'choice', key: 'consent_status', label: t('column.consent'), options: consentOptions(t) },
      ...(byList ? [list] : []),
      { kind: 'tags', key: 'tag', label: t('column.tags'), options: (tags?.data ?? []).map((x) => x.tag) },
      { kind: 'choice', rare: true, key: 'language', label: t('field.language'), options: languageOptions(t) },
      { kind: 'choice', rare: true, key: 'source', label: t('field.source'), options: sourceOptions(t) },
      { kind: 'choice', rare: true, key: 'suppressed', label: t('suppressed'), options: yesNo(t, 'suppressed') },
      { kind: 'choice', rare: true, key: 'has_conversation', label: t('filter.conversations'), options: yesNo(t, 'conversation') },
      { kind: 'days', rare: true, from: 'created_from', to: 'created_to', label: t('column.created') },
    ];
  }, [t, tags, lists, byList]);
}
