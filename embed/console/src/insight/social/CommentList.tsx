import { Group, Text } from '@mantine/core';
import { Beside, type Column, type Filter, List, Tag, When } from '@shell';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Comment, flags, flagsOf, networks } from './types';

/** Comments, of one post or of all, with what a machine says of them. */
export function CommentList({ post }: { post?: string }) {
  const { t } = useTranslation('insight', { keyPrefix: 'social' });
  const columns = useMemo<Column<Comment>[]>(
    () => [
      {
        key: 'text',
        title: t('column.comment'),
        render: (c) => (
          <>
            <Text c={c.deleted ? 'dimmed' : undefined}>{c.deleted ? t('deleted') : c.text}</Text>
            <Beside>{[c.author_name, post ? undefined : c.post?.name].filter(Boolean).join(' · ')}</Beside>
          </>
        ),
      },
      {
        key: 'flags',
        title: t('column.flags'),
        render: (c) => (
          <Group gap={4}>
            {flagsOf(c).map((f) => (
              <Tag key={f}>{t(`flag.${f}`)}</Tag>
            ))}
            {c.private_reply_id && <Tag>{t('replied')}</Tag>}
            {c.hidden && <Tag>{t('hidden')}</Tag>}
          </Group>
        ),
      },
      { key: 'topic', title: t('column.topic'), from: 'lg', render: (c) => (c.topic?.case_id ? c.topic.label : '–') },
      { key: 'at', title: t('column.written'), from: 'md', render: (c) => <When at={c.at} /> },
    ],
    [t, post],
  );
  const filters: Filter[] = [
    { kind: 'choice', key: 'flag', label: t('column.flags'), options: flags.map((value) => ({ value, label: t(`flag.${value}`) })) },
  ];
  if (!post)
    filters.push({
      kind: 'choice',
      key: 'platform',
      label: t('network'),
      options: networks.map((value) => ({ value, label: t(`networks.${value}`) })),
    });
  return (
    <List
      path="/ai/social/comments"
      label={t('sections.comments')}
      columns={columns}
      filters={filters}
      fixed={post ? { post_id: post } : undefined}
      name={(c) => c.text ?? c.id}
      empty={{ title: t('noComments.title'), text: t('noComments.text') }}
    />
  );
}
