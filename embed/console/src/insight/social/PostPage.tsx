import { Anchor, DataList, Grid, Image, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Failed, NotFound, Page, useFormat, useGet, When } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CommentList } from './CommentList';
import type { Post } from './types';

/** One post with its figures and comments. */
export default function PostPage() {
  const { t } = useTranslation('insight');
  const { id = '' } = useParams({ strict: false });
  const { data: p, error, refetch } = useGet('/ai/social/posts/{id}', { path: { id } });
  const above = [{ label: t('social.sections.posts'), to: '/ai/social/posts' as const }];
  if (error?.status === 404) return <NotFound />;
  if (!p)
    return (
      <Page title={t('social.post')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page title={p.account?.name ?? t('social.post')} above={above}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Facts post={p} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Title order={2} mb="sm">
            {t('social.sections.comments')}
          </Title>
          {p.comments_closed ? <Text c="dimmed">{t('social.closed')}</Text> : <CommentList post={p.id} />}
        </Grid.Col>
      </Grid>
    </Page>
  );
}

const figures = ['views', 'reach', 'likes', 'comments', 'shares', 'saves', 'watch_seconds'] as const;

function Facts({ post: p }: { post: Post }) {
  const { t } = useTranslation('insight');
  const f = useFormat();
  return (
    <Paper>
      <Stack>
        {p.thumbnail && (
          <Image src={p.thumbnail} alt="" radius="sm" mah={240} fit="cover" bd="1px solid var(--mantine-color-default-border)" />
        )}
        <Text style={{ whiteSpace: 'pre-wrap' }} lineClamp={12}>
          {p.caption ?? t('social.noCaption')}
        </Text>
        <Anchor href={p.permalink} target="_blank" rel="noreferrer">
          {t('social.open')}
        </Anchor>
        <DataList>
          <DataList.Item>
            <DataList.ItemLabel>{t('social.column.published')}</DataList.ItemLabel>
            <DataList.ItemValue>
              <When at={p.published_at} />
            </DataList.ItemValue>
          </DataList.Item>
          {figures
            .filter((x) => p.metrics[x] !== null)
            .map((x) => (
              <DataList.Item key={x}>
                <DataList.ItemLabel>{t(`social.figure.${x}`)}</DataList.ItemLabel>
                <DataList.ItemValue>{f.number(p.metrics[x] ?? 0)}</DataList.ItemValue>
              </DataList.Item>
            ))}
          {p.topic && (
            <DataList.Item>
              <DataList.ItemLabel>{t('social.column.topic')}</DataList.ItemLabel>
              <DataList.ItemValue>{p.topic.case_id ? p.topic.label : t('social.unclear')}</DataList.ItemValue>
            </DataList.Item>
          )}
        </DataList>
      </Stack>
    </Paper>
  );
}
