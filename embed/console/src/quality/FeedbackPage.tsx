import { Button, Checkbox, Grid, Group, Paper, Select, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { type Above, Failed, Link, NamedThing, NotFound, Page, Status, Tag, useAction, useCan, useGet, When } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Feedback, reviewLooks } from './types';

/** One piece of feedback: what was written, what should have been, and its review. */
export default function FeedbackPage() {
  const { t } = useTranslation(['quality', 'kit']);
  const { id = '' } = useParams({ strict: false });
  const { data: f, error, refetch } = useGet('/ai/feedback/{id}', { path: { id } });
  const above: Above[] = [{ label: t('sections.feedback'), to: '/ai/quality' }];
  if (error?.status === 404) return <NotFound />;
  if (!f)
    return (
      <Page title={t('feedback.one')} above={above}>
        {error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />}
      </Page>
    );
  return (
    <Page
      title={t('feedback.one')}
      lead={t(`target.${f.target}`)}
      above={above}
      badge={<Status state={reviewLooks[f.review.status]} label={t(`review.${f.review.status}`)} />}
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Said of={f} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Review key={f.review.status + (f.item_id ?? '')} of={f} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Part({ label, text }: { label: string; text: string | null }) {
  if (!text) return null;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
    </div>
  );
}

function Said({ of: f }: { of: Feedback }) {
  const { t } = useTranslation(['quality', 'kit']);
  return (
    <Paper component="section">
      <Stack gap="sm">
        <Title order={2}>{t('feedback.said')}</Title>
        <Group gap={4}>
          {f.labels.map((l) => (
            <Tag key={l}>{t(`kit:feedback.label.${l}` as never) as string}</Tag>
          ))}
          {f.rating !== null && <Tag>{t('feedback.stars', { n: f.rating })}</Tag>}
        </Group>
        <Part label={t('feedback.original')} text={f.original_text} />
        <Part label={t('feedback.wrong')} text={f.wrong_text} />
        <Part label={t('feedback.corrected')} text={f.corrected_text} />
        <Part label={t('feedback.comment')} text={f.comment} />
        <Text size="sm" c="dimmed" component="div">
          {f.creator?.name ?? '–'} · <When at={f.created_at} exact />
        </Text>
        <Group gap="xs">
          {f.conversation_id && (
            <Button component={Link} to={`/inbox/${f.conversation_id}`} variant="default" size="compact-sm">
              {t('feedback.toConversation')}
            </Button>
          )}
          {f.execution_id && (
            <Button component={Link} to={`/ai/executions/${f.execution_id}`} variant="default" size="compact-sm">
              {t('feedback.toExecution')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** Accepting makes an item of a dataset with one key; rejecting says why. */
function Review({ of: f }: { of: Feedback }) {
  const { t } = useTranslation('quality');
  const may = useCan()('ai:manage');
  const datasets = useGet('/ai/eval-datasets', { query: { limit: 100 } }).data?.data ?? [];
  const [dataset, setDataset] = useState<string | null>(null);
  const [must, setMust] = useState(true);
  const [note, setNote] = useState('');
  const review = useAction('post', '/ai/feedback/{id}/review', {
    stale: ['/ai/feedback', '/ai/eval-datasets'],
    done: t('feedback.reviewed'),
  });
  const chosen = dataset ?? datasets[0]?.id ?? null;
  const send = (decision: 'ACCEPTED' | 'REJECTED', into?: string | null) =>
    void review.run({
      path: { id: f.id },
      body: { decision, note: note.trim() || null, add_to_dataset_id: into ?? null, tags: into && must ? ['must_pass'] : [] },
    });
  return (
    <Paper component="section">
      <Stack gap="sm">
        <Title order={2}>{t('feedback.review')}</Title>
        {f.review.reviewer && (
          <Text size="sm" component="div">
            {t(`review.${f.review.status}`)} · {f.review.reviewer.name} · <When at={f.review.reviewed_at} />
          </Text>
        )}
        {f.review.note && <Text size="sm">{f.review.note}</Text>}
        {f.dataset && (
          <Text size="sm" component="div">
            {t('feedback.became')} <NamedThing of={f.dataset} />{' '}
            <Link to={`/ai/quality/datasets/${f.dataset.id}`}>{t('feedback.toDataset')}</Link>
          </Text>
        )}
        {may && f.review.status !== 'REJECTED' && !f.item_id && (
          <>
            <Select
              label={t('feedback.dataset')}
              placeholder={t('feedback.noDataset')}
              data={datasets.map((d) => ({ value: d.id, label: d.name }))}
              value={chosen}
              onChange={setDataset}
            />
            <Checkbox label={t('item.mustPass')} checked={must} onChange={(e) => setMust(e.currentTarget.checked)} />
            <Textarea label={t('feedback.note')} autosize maxLength={2000} value={note} onChange={(e) => setNote(e.currentTarget.value)} />
            <Text size="xs" c="dimmed">
              {t('feedback.masked')}
            </Text>
            <Group>
              <Button loading={review.pending} disabled={!chosen} onClick={() => send('ACCEPTED', chosen)}>
                {t('feedback.acceptInto')}
              </Button>
              {f.review.status !== 'ACCEPTED' && (
                <>
                  <Button variant="default" onClick={() => send('ACCEPTED')}>
                    {t('feedback.accept')}
                  </Button>
                  <Button variant="default" onClick={() => send('REJECTED')}>
                    {t('feedback.reject')}
                  </Button>
                </>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  );
}
