import { Group, Text } from '@mantine/core';
import { type Column, type Filter, List, Tag, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Comment, flags, flagsOf, networks } from './types';

/** Comments, of one post or of all, with what a machine says of them. */
export function CommentList({ post }: { post?: string }) {
  const { t } = useTranslation('insight');
  const columns = useMemo<Column<Comment>[]>(
    () => [
      {
        key: 'text',
        title: t('social.column.comment'),
        render: (c) => (
          <>
            <Text c={c.deleted ? 'dimmed' : undefined}>{c.deleted ? t('social.deleted') : c.text}</Text>
            <Text size="sm" c="dimmed" lineClamp={1}>
              {[c.author_name, post ? undefined : c.post?.name].filter(Boolean).join(' · ')}
            </Text>
          </>
        ),
      },
      {
        key: 'flags',
        title: t('social.column.flags'),
        render: (c) => (
          <Group gap={4}>
            {flagsOf(c).map((f) => (
              <Tag key={f}>{t(`social.flag.${f}`)}</Tag>
            ))}
            {c.private_reply_id && <Tag>{t('social.replied')}</Tag>}
            {c.hidden && <Tag>{t('social.hidden')}</Tag>}
          </Group>
        ),
      },
      { key: 'topic', title: t('social.column.topic'), from: 'lg', render: (c) => (c.topic?.case_id ? c.topic.label : '–') },
      { key: 'at', title: t('social.column.written'), from: 'md', render: (c) => <When at={c.at} /> },
    ],
    [t, post],
  );
  const filters: Filter[] = [
    {
      kind: 'choice',
      key: 'flag',
      label: t('social.column.flags'),
      options: flags.map((value) => ({ value, label: t(`social.flag.${value}`) })),
    },
  ];
  if (!post)
    filters.push({
      kind: 'choice',
      key: 'platform',
      label: t('social.network'),
      options: networks.map((value) => ({ value, label: t(`social.networks.${value}`) })),
    });
  return (
    <List
      path="/ai/social/comments"
      label={t('social.sections.comments')}
      columns={columns}
      filters={filters}
      fixed={post ? { post_id: post } : undefined}
      name={(c) => c.text ?? c.id}
      empty={{ title: t('social.noComments.title'), text: t('social.noComments.text') }}
    />
  );
}
