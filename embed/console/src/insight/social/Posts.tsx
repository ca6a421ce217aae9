import { Group, Image, Text } from '@mantine/core';
import { type Column, type Filter, List, Page, useFormat, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SocialSections } from './sections';
import { kinds, networks, type Post } from './types';

/** Posts and videos of the last 90 days, with what people did. */
export default function Posts() {
  const { t } = useTranslation('insight');
  const f = useFormat();
  const columns = useMemo<Column<Post>[]>(
    () => [
      {
        key: 'post',
        title: t('social.column.post'),
        render: (p) => (
          <Group wrap="nowrap" gap="sm">
            {p.thumbnail && (
              <Image src={p.thumbnail} alt="" w={44} h={44} radius="sm" fit="cover" bd="1px solid var(--mantine-color-default-border)" />
            )}
            <div style={{ minWidth: 0 }}>
              <Text lineClamp={1}>{p.caption ?? t('social.noCaption')}</Text>
              <Text size="sm" c="dimmed" lineClamp={1}>{`${t(`social.kind.${p.kind}`)} · ${p.account?.name ?? ''}`}</Text>
            </div>
          </Group>
        ),
      },
      { key: 'published', title: t('social.column.published'), from: 'md', render: (p) => <When at={p.published_at} /> },
      { key: 'views', title: t('social.column.views'), from: 'md', align: 'right', render: (p) => number(f, p.metrics.views) },
      { key: 'engagement', title: t('social.column.engagement'), align: 'right', render: (p) => f.number(p.engagement) },
      { key: 'topic', title: t('social.column.topic'), from: 'lg', render: (p) => (p.topic?.case_id ? p.topic.label : '–') },
    ],
    [t, f],
  );
  const filters: Filter[] = [
    {
      kind: 'choice',
      key: 'platform',
      label: t('social.network'),
      options: networks.map((value) => ({ value, label: t(`social.networks.${value}`) })),
    },
    {
      kind: 'choice',
      key: 'kind',
      label: t('social.column.kind'),
      options: kinds.map((value) => ({ value, label: t(`social.kind.${value}`) })),
    },
  ];
  return (
    <Page title={t('social.sections.posts')} lead={t('social.lead')}>
      <SocialSections />
      <List
        path="/ai/social/posts"
        label={t('social.sections.posts')}
        columns={columns}
        filters={filters}
        to={(p) => `/ai/social/posts/${p.id}`}
        name={(p) => p.caption ?? p.external_id}
        empty={{ title: t('social.empty.title'), text: t('social.empty.text') }}
      />
    </Page>
  );
}

function number(f: ReturnType<typeof useFormat>, n: number | null) {
  return n === null ? '–' : f.number(n);
}
