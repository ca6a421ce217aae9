import { Alert, Button, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Failed, type Schema, Tag, useAction, useCan, useFormat, useGet, When } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DemoMark } from './DemoMark';
import type { Opened } from './types';

type Analysis = Schema<'AnalysisShown'>;
type Choice = Analysis['dimensions'][number];

const stale = ['/ai/conversations/{id}/insights', '/ai/insights/boards'];

/** What the conversation was about; a person may say otherwise, which no machine changes. */
export default function AnalysisPanel({ of: o }: { of: Opened }) {
  const { t } = useTranslation('inbox');
  const can = useCan();
  const may = can('ai:operate');
  const { data, error, refetch } = useGet('/ai/conversations/{id}/insights', { path: { id: o.id } }, { enabled: can('ai') });
  const analyze = useAction('post', '/ai/conversations/{id}/analyze', { done: t('analysis.queued') });
  if (o.personal || !can('ai')) return null;
  const a = data?.analysis;
  const off = data?.analysis_mode === 'OFF';
  return (
    <Stack gap="xs" mt="md" component="section" aria-label={t('analysis.title')} data-analysis={a ? 'yes' : 'no'}>
      <Group justify="space-between">
        <Title order={2} size="h5">
          {t('analysis.title')}
        </Title>
        {may && data && !off && (
          <Button
            variant="default"
            size="compact-sm"
            loading={analyze.pending}
            onClick={() => void analyze.run({ path: { id: o.id }, body: {} as never })}
          >
            {t(a ? 'analysis.again' : 'analysis.now')}
          </Button>
        )}
      </Group>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={80} />}
      {data?.summary && (
        <Text size="sm" component="div">
          {data.summary} {data.summary_demo && <DemoMark />}
        </Text>
      )}
      {data && !a && (
        <Text size="sm" c="dimmed">
          {t(off ? 'analysis.off' : 'analysis.none')}
        </Text>
      )}
      {a && <Found of={a} may={may && !off} />}
    </Stack>
  );
}

function Found({ of: a, may }: { of: Analysis; may: boolean }) {
  const { t } = useTranslation('inbox');
  const flags = Object.entries(a.flags).filter(([, f]) => f.value);
  const scores = Object.entries(a.scores).filter(([, mark]) => mark !== null);
  return (
    <>
      {a.stale && (
        <Text size="xs" c="dimmed">
          {t('analysis.stale')}
        </Text>
      )}
      {a.error_code && <Alert color="yellow">{t(a.error_code === 'budget_exceeded' ? 'analysis.budget' : 'analysis.failed')}</Alert>}
      {a.dimensions.map((d) => (
        <Chosen key={d.dimension} of={d} analysis={a} may={may} />
      ))}
      {flags.length > 0 && (
        <Group gap={6}>
          {flags.map(([key]) => (
            <Tag key={key}>{t(`analysis.flag.${key}` as 'analysis.flag.complaint')}</Tag>
          ))}
        </Group>
      )}
      {scores.map(([key, mark]) => (
        <Text key={key} size="sm">
          {t(`analysis.score.${key}` as 'analysis.score.trust')}: <b>{mark}</b>
        </Text>
      ))}
      <Text size="xs" c="dimmed" component="div">
        {t('analysis.read', { count: a.messages_analyzed })} · <When at={a.analyzed_at} /> {a.demo && <DemoMark />}
      </Text>
    </>
  );
}

/** The case in one dimension, with its correction and its explanation. */
function Chosen({ of: d, analysis: a, may }: { of: Choice; analysis: Analysis; may: boolean }) {
  const { t, i18n } = useTranslation('inbox');
  const f = useFormat();
  const [editing, setEditing] = useState(false);
  const why = a.explanation.find((e) => e.dimension === d.dimension);
  const correct = useAction('put', '/ai/conversations/{id}/cases/{dimension}', {
    stale,
    done: t('analysis.corrected'),
    then: () => setEditing(false),
  });
  const explain = useAction('post', '/ai/conversations/{id}/analysis/explain', { stale });
  const cases = useGet(
    '/ai/businesses/{id}/cases',
    { path: { id: a.business_id }, query: { dimension: d.dimension, status: 'ACTIVE', limit: 100 } },
    { enabled: editing },
  );
  const nameOf = (n: Schema<'CasesNames'>) => (i18n.language === 'uz' ? n.uz : i18n.language === 'ru' ? n.ru : n.en);
  const path = { id: a.conversation_id };
  return (
    <div data-dimension={d.dimension}>
      <Text size="xs" c="dimmed" fw={600}>
        {t(`analysis.dimension.${d.dimension}`)}
      </Text>
      {editing && cases.data ? (
        <Select
          size="sm"
          aria-label={t(`analysis.dimension.${d.dimension}`)}
          data={[{ value: '', label: t('analysis.unclear') }, ...cases.data.data.map((k) => ({ value: k.id, label: nameOf(k.name) }))]}
          value={d.case_id ?? ''}
          allowDeselect={false}
          onChange={(v) => void correct.run({ path: { ...path, dimension: d.dimension }, body: { case_id: v || null } })}
        />
      ) : (
        <Text size="sm">
          {d.case_name ? nameOf(d.case_name) : t('analysis.unclear')}{' '}
          <Text span size="xs" c="dimmed">
            {d.source === 'HUMAN' ? t('analysis.by', { name: d.corrected_by?.name ?? '–' }) : f.percent(d.probability)}
          </Text>
        </Text>
      )}
      {why && (
        <Text size="xs" c="dimmed" component="div">
          {why.text} {why.demo && <DemoMark />}
        </Text>
      )}
      {may && (
        <Group gap={4}>
          <Button variant="subtle" size="compact-xs" onClick={() => setEditing(!editing)}>
            {t(editing ? 'analysis.keep' : 'analysis.correct')}
          </Button>
          {!why && (
            <Button
              variant="subtle"
              size="compact-xs"
              loading={explain.pending}
              onClick={() => void explain.run({ path, body: { dimension: d.dimension } })}
            >
              {t('analysis.why')}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}
