import { Group, Image, Text } from '@mantine/core';
import { Beside, type Column, type Filter, List, Page, useFormat, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SocialSections } from './sections';
import { kinds, networks, type Post } from './types';

/** Posts and videos of the last 90 days, with what people did. */
export default function Posts() {
  const { t } = useTranslation('insight', { keyPrefix: 'social' });
  const f = useFormat();
  const columns = useMemo<Column<Post>[]>(
    () => [
      {
        key: 'post',
        title: t('column.post'),
        render: (p) => (
          <Group wrap="nowrap" gap="sm">
            {p.thumbnail && <Image src={p.thumbnail} alt="" w={44} h={44} radius="sm" fit="cover" />}
            <div style={{ minWidth: 0 }}>
              <Text lineClamp={1}>{p.caption ?? t('noCaption')}</Text>
              <Beside>{`${t(`kind.${p.kind}`)} · ${p.account?.name ?? ''}`}</Beside>
            </div>
          </Group>
        ),
      },
      { key: 'published', title: t('column.published'), from: 'md', render: (p) => <When at={p.published_at} /> },
      { key: 'views', title: t('column.views'), from: 'md', render: (p) => number(f, p.metrics.views) },
      { key: 'engagement', title: t('column.engagement'), render: (p) => f.number(p.engagement) },
      { key: 'topic', title: t('column.topic'), from: 'lg', render: (p) => (p.topic?.case_id ? p.topic.label : '–') },
    ],
    [t, f],
  );
  const filters: Filter[] = [
    { kind: 'choice', key: 'platform', label: t('network'), options: networks.map((value) => ({ value, label: t(`networks.${value}`) })) },
    { kind: 'choice', key: 'kind', label: t('column.kind'), options: kinds.map((value) => ({ value, label: t(`kind.${value}`) })) },
  ];
  return (
    <Page title={t('sections.posts')} lead={t('lead')}>
      <SocialSections />
      <List
        path="/ai/social/posts"
        label={t('sections.posts')}
        columns={columns}
        filters={filters}
        to={(p) => `/ai/social/posts/${p.id}`}
        name={(p) => p.caption ?? p.external_id}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
    </Page>
  );
}

function number(f: ReturnType<typeof useFormat>, n: number | null) {
  return n === null ? '–' : f.number(n);
}
