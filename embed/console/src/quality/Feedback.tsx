import { Group, Text } from '@mantine/core';
import { type Column, type Filter, List, Page, Status, Tag, When } from '@shell';
import { labels } from '@kit';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { QualitySections } from './parts';
import { type Feedback as Row, reviewLooks, reviewStatuses, targets } from './types';

/** What people said of the AI, and what nobody has looked at yet. */
export default function Feedback() {
  const { t } = useTranslation(['quality', 'kit']);
  const columns = useMemo<Column<Row>[]>(
    () => [
      {
        key: 'said',
        title: t('feedback.said'),
        render: (f) => (
          <>
            <Group gap={4}>
              {f.labels.map((l) => (
                <Tag key={l}>{t(`kit:feedback.label.${l}` as never) as string}</Tag>
              ))}
              {f.rating !== null && <Tag>{t('feedback.stars', { n: f.rating })}</Tag>}
              {f.labels.length === 0 && f.rating === null && <Tag>{t(f.corrected_text ? 'feedback.edited' : 'feedback.comment')}</Tag>}
            </Group>
            <Text size="sm" c="dimmed" fw={400} lineClamp={2}>
              {f.original_text ?? f.comment ?? '–'}
            </Text>
          </>
        ),
      },
      { key: 'about', title: t('feedback.about'), from: 'md', render: (f) => t(`target.${f.target}`) },
      {
        key: 'review',
        title: t('feedback.review'),
        render: (f) => <Status state={reviewLooks[f.review.status]} label={t(`review.${f.review.status}`)} />,
      },
      { key: 'by', title: t('feedback.by'), from: 'lg', render: (f) => f.creator?.name ?? '–' },
      { key: 'at', title: t('column.at'), render: (f) => <When at={f.created_at} /> },
    ],
    [t],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'review_status',
        label: t('feedback.review'),
        options: reviewStatuses.map((value) => ({ value, label: t(`review.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'label',
        label: t('feedback.label'),
        options: labels.map((value) => ({ value, label: t(`kit:feedback.label.${value}` as never) as string })),
      },
      {
        kind: 'choice',
        key: 'target',
        label: t('feedback.about'),
        options: targets.map((value) => ({ value, label: t(`target.${value}`) })),
        rare: true,
      },
    ],
    [t],
  );
  return (
    <Page title={t('sections.feedback')} lead={t('feedback.lead')}>
      <QualitySections />
      <List
        path="/ai/feedback"
        label={t('sections.feedback')}
        columns={columns}
        filters={filters}
        to={(f) => `/ai/quality/feedback/${f.id}`}
        name={(f) => t(`target.${f.target}`)}
        empty={{ title: t('feedback.empty'), text: t('feedback.emptyText') }}
      />
    </Page>
  );
}
