import { Checkbox, Group, Text } from '@mantine/core';
import { type Column, type Filter, Link, List, Status, Tag } from '@shell';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Talk, Wanted } from './parts';
import type { Evaluation, Result } from './types';

/** The results of an evaluation, failed ones first, beside those of the version that answers customers now. */
export function Results({ of: e }: { of: Evaluation }) {
  const { t } = useTranslation('quality');
  const [beside, setBeside] = useState(true);
  const columns = useMemo<Column<Result>[]>(
    () => [
      {
        key: 'passed',
        title: t('result.outcome'),
        render: (r) => (
          <>
            <Status state={r.passed ? 'PASS' : 'FAILED'} label={t(r.passed ? 'result.passed' : 'result.failed')} />
            <Group gap={4} mt={4}>
              {Object.entries(r.scores ?? {})
                .filter(([g, score]) => score < (g === 'JUDGE' ? 0.8 : 1))
                .map(([g]) => (
                  <Tag key={g}>{t(`grader.${g}` as never) as string}</Tag>
                ))}
              {r.tags.includes('must_pass') && <Tag>{t('item.must')}</Tag>}
              {r.error_code && <Tag>{t(`evaluationError.${r.error_code}` as never, { defaultValue: r.error_code }) as string}</Tag>}
            </Group>
          </>
        ),
      },
      {
        key: 'talk',
        title: t('item.talk'),
        render: (r) => (
          <>
            <Talk of={r.input} />
            <Wanted of={r.expected as never} />
          </>
        ),
      },
      { key: 'output', title: t('result.output'), render: (r) => <Reply text={r.output} codes={r.codes} execution={r.execution_id} /> },
      ...(beside
        ? [
            {
              key: 'other',
              title: t('result.other'),
              render: (r: Result) =>
                r.other ? (
                  <>
                    <Status state={r.other.passed ? 'PASS' : 'FAILED'} label={t(r.other.passed ? 'result.passed' : 'result.failed')} />
                    {r.other.output === r.output ? (
                      <Text size="sm" c="dimmed">
                        {t('result.same')}
                      </Text>
                    ) : (
                      <Reply text={r.other.output} codes={[]} execution={r.other.execution_id} />
                    )}
                    {r.versus && <Tag>{t(`versus.${r.versus}`)}</Tag>}
                  </>
                ) : (
                  <Text size="sm" c="dimmed">
                    –
                  </Text>
                ),
            },
          ]
        : []),
    ],
    [t, beside],
  );
  const filters = useMemo<Filter[]>(
    () => [
      {
        kind: 'choice',
        key: 'passed',
        label: t('result.outcome'),
        options: [
          { value: 'false', label: t('result.failed') },
          { value: 'true', label: t('result.passed') },
        ],
      },
    ],
    [t],
  );
  return (
    <>
      <Checkbox mb="xs" label={t('result.beside')} checked={beside} onChange={(x) => setBeside(x.currentTarget.checked)} />
      <List
        path="/ai/evaluations/{id}/results"
        params={{ id: e.id }}
        label={t('result.title')}
        columns={columns}
        filters={filters}
        fixed={beside ? { compare: 'active' } : undefined}
        name={(r) => r.input?.messages.at(-1)?.text ?? r.id}
        empty={{ title: t('result.empty'), text: '' }}
      />
    </>
  );
}

function Reply({ text, codes, execution }: { text: string | null; codes: readonly string[]; execution: string | null }) {
  const { t } = useTranslation('quality');
  return (
    <>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} c={text ? undefined : 'dimmed'}>
        {text ?? t('result.nothing')}
      </Text>
      {codes.map((c) => (
        <Tag key={c}>{c}</Tag>
      ))}
      {execution && (
        <Text size="xs">
          <Link to={`/ai/executions/${execution}`}>{t('feedback.toExecution')}</Link>
        </Text>
      )}
    </>
  );
}
