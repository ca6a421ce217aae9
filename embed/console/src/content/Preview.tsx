import { Alert, Anchor, Badge, Group, Paper, Progress, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ApiError, asApiError, call, detailsOf, sentenceOf, useFormat } from '@shell';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Formatted } from './Formatted';
import { PersonChoice } from './PersonChoice';
import { Thumbs } from './Thumbs';
import { type Values, variablesOf } from './template';

const typing = 300;

interface Props {
  values: Values;
  /** The text has formatting that no messenger accepts: why, or null when it is right again. */
  onProblem: (text: string | null) => void;
  readOnly?: boolean;
}

/** The message as one person gets it, while it is typed. */
export function Preview({ values, onProblem, readOnly }: Props) {
  const { t } = useTranslation('content');
  const [person, setPerson] = useState<string | null>(null);
  const [tried, setTried] = useState<Record<string, string>>({});
  const asked = { text: values.text, format: values.format, attachment_ids: values.attachment_ids, person, tried };
  const [question] = useDebouncedValue(asked, typing);
  const has = question.text.trim() !== '' || question.attachment_ids.length > 0;
  const attributes = Object.fromEntries(Object.entries(question.tried).filter(([, v]) => v !== ''));
  const { data, error } = useQuery({
    queryKey: ['/messages/preview', question],
    enabled: has && !readOnly,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) =>
      call('post', '/messages/preview', {
        signal,
        body: {
          recipient_id: question.person,
          attributes,
          message: {
            template_id: null,
            text: question.text,
            format: question.format,
            attachment_ids: question.attachment_ids,
            link_preview: false,
          },
        },
      }),
  });
  const problem = error ? asApiError(error) : undefined;
  useProblem(problem, onProblem);
  if (readOnly)
    return (
      <Paper>
        <Title order={2} mb="sm">
          {t('preview')}
        </Title>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{values.text}</Text>
      </Paper>
    );
  const variables = variablesOf(values.text).filter((v) => v !== 'opt_out_url');
  return (
    <Paper pos="sticky" top={72}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('preview')}</Title>
        {data && has && <Length length={data.length} most={data.max_length} />}
      </Group>
      <Stack gap="sm">
        <PersonChoice value={person} onChange={setPerson} />
        {!has && (
          <Text c="dimmed" size="sm">
            {t('previewEmpty')}
          </Text>
        )}
        {has && problem && (
          <Alert color="orange">{problem.details['message.attachment_ids'] ? t('album') : sentenceOf(problem).message}</Alert>
        )}
        {has && data && !problem && (
          <Paper p="sm" bg="var(--svc-canvas)" radius="lg" aria-label={t('preview')}>
            <Thumbs files={data.attachments} />
            <Formatted text={data.text} entities={data.entities} />
          </Paper>
        )}
        {data && has && !problem && (
          <Variables
            missing={data.missing_variables}
            unknown={data.unknown_variables}
            person={person !== null}
            optOut={values.text.includes('opt_out_url')}
          />
        )}
        {variables.length > 0 && (
          <details>
            <summary>
              <Text span size="sm">
                {t('try')}
              </Text>
            </summary>
            <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
              {variables.map((name) => (
                <TextInput
                  key={name}
                  size="xs"
                  label={name}
                  value={tried[name] ?? ''}
                  onChange={(e) => {
                    const { value } = e.currentTarget;
                    setTried((before) => ({ ...before, [name]: value }));
                  }}
                />
              ))}
            </SimpleGrid>
          </details>
        )}
      </Stack>
    </Paper>
  );
}

/** Puts what is wrong with the text beside the text, and takes it away when it is right. */
function useProblem(problem: ApiError | undefined, tell: (text: string | null) => void): void {
  const latest = useRef(tell);
  latest.current = tell;
  const why = (problem && detailsOf(problem)['message.text']) ?? null;
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (why === told.current) return;
    told.current = why;
    latest.current(why);
  }, [why]);
}

/** How long the message is, as messengers count. */
function Length({ length, most }: { length: number; most: number }) {
  const { t } = useTranslation('content');
  const f = useFormat();
  const share = length / most;
  const words = t('length', { length: f.number(length), most: f.number(most) });
  return (
    <Group gap="xs" title={t('lengthHint')}>
      <Progress
        value={Math.min(100, 100 * share)}
        w={60}
        color={share > 1 ? 'red' : share > 0.9 ? 'orange' : undefined}
        aria-label={words}
      />
      <Text size="sm" c={share > 1 ? 'var(--mantine-color-error)' : 'dimmed'}>
        {words}
      </Text>
    </Group>
  );
}

function Variables({
  missing,
  unknown,
  person,
  optOut,
}: {
  missing: readonly string[];
  unknown: readonly string[];
  person: boolean;
  optOut: boolean;
}) {
  const { t } = useTranslation('content');
  const names = (list: readonly string[]) => (
    <Group gap={4} mt={4}>
      {list.map((v) => (
        <Badge key={v} color="gray" c="var(--mantine-color-text)" ff="monospace">{`{{${v}}}`}</Badge>
      ))}
    </Group>
  );
  return (
    <>
      {unknown.length > 0 && (
        <Alert color="red" title={t('unknownTitle')}>
          {t('unknown')}
          {names(unknown)}
        </Alert>
      )}
      {missing.length > 0 && (
        <Alert color={person ? 'orange' : 'blue'} title={t(person ? 'missingTitle' : 'variablesTitle')}>
          {t(person ? 'missing' : 'missingNobody')}
          {names(missing)}
        </Alert>
      )}
      {!optOut && (
        <Alert color="yellow" title={t('noOptOut')}>
          {t('noOptOutText')}{' '}
          <Anchor component="span" c="inherit" ff="monospace" size="sm" underline="never">
            {'{{opt_out_url}}'}
          </Anchor>
        </Alert>
      )}
    </>
  );
}
