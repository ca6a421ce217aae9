import { Button, Group, Text } from '@mantine/core';
import { type Column, type Filter, Inline, Link, List, Num, Page, type Schema, Tag, useCan, useGet, When } from '@shell';
import { IconPaperclip, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formats, wordsOf } from '@kit';
import { languageName } from './choices';

export type Template = Schema<'ContentShownTemplate'>;

export default function TemplateList() {
  const { t } = useTranslation('content');
  const can = useCan();
  const columns = useMemo<Column<Template>[]>(
    () => [
      { key: 'name', title: t('name'), sort: 'name', render: (x) => x.name },
      {
        key: 'text',
        title: t('text'),
        render: (x) => (
          <Text size="sm" c="dimmed" lineClamp={1} maw={380}>
            {wordsOf(x) || '–'}
          </Text>
        ),
      },
      { key: 'kind', title: t('kind'), from: 'md', render: (x) => <Marks of={x} /> },
      { key: 'uses', title: t('uses'), align: 'right', render: (x) => <Num value={x.uses_count} /> },
      { key: 'used', title: t('lastUsed'), sort: 'last_used_at', from: 'lg', render: (x) => <When at={x.last_used_at} /> },
      { key: 'updated', title: t('updated'), sort: 'updated_at', render: (x) => <When at={x.updated_at} /> },
    ],
    [t],
  );
  const add = can('campaigns:manage') && (
    <Button component={Link} to="/templates/new" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('new')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={add}>
      <List
        path="/templates"
        label={t('title')}
        columns={columns}
        filters={useFilters()}
        search={t('search')}
        sort="-updated_at"
        to={(x) => `/templates/${x.id}`}
        name={(x) => x.name}
        empty={{ title: t('empty'), text: t('emptyText'), action: add }}
      />
    </Page>
  );
}

function Marks({ of: x }: { of: Template }) {
  const { t } = useTranslation('content');
  return (
    <Inline>
      {x.category && <Tag>{x.category}</Tag>}
      {x.language && (
        <Text span size="sm">
          {languageName(t, x.language)}
        </Text>
      )}
      {x.attachment_ids.length > 0 && (
        <Group gap={2} component="span" title={t('files', { count: x.attachment_ids.length })}>
          <IconPaperclip size={14} aria-hidden />
          <Text span size="sm">
            {x.attachment_ids.length}
          </Text>
        </Group>
      )}
    </Inline>
  );
}

/** Languages and categories are those of the templates that exist. */
function useFilters(): Filter[] {
  const { t } = useTranslation('content');
  const { data } = useGet('/templates', { query: { limit: 500 } });
  return useMemo(() => {
    const of = (key: 'language' | 'category') =>
      [...new Set((data?.data ?? []).map((x) => x[key]).filter((v): v is string => v !== null))].sort();
    return [
      { kind: 'choice', key: 'category', label: t('category'), options: of('category').map((value) => ({ value, label: value })) },
      {
        kind: 'choice',
        key: 'language',
        label: t('language'),
        options: of('language').map((value) => ({ value, label: languageName(t, value) })),
      },
      { kind: 'choice', key: 'format', label: t('format'), options: formats.map((value) => ({ value, label: t(`formats.${value}`) })) },
    ];
  }, [t, data]);
}
