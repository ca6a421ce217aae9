import { Alert, Anchor, Badge, Group, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ApiError, detailsOf, type Schema, sentenceOf } from '@shell';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Person, PersonSelect } from '../people/PersonSelect';
import { Bubble, MessageBubble, usePreview } from './Bubble';
import { Counter } from './Counter';
import { hasContent, type Message, optOut, variablesOf } from './message';
import { useVariables } from './Variables';

const typing = 300;

interface Props {
  message: Message;
  /** The text has formatting that no messenger accepts: why, or null when it is right again. */
  onProblem?: (text: string | null) => void;
  readOnly?: boolean;
  /** People who are offered before any is searched for. */
  people?: readonly Person[];
}

/** The message as one person gets it, while it is typed. */
export function Preview({ message, onProblem, readOnly, people }: Props) {
  const { t } = useTranslation('kit');
  const [person, setPerson] = useState<string | null>(null);
  const [tried, setTried] = useState<Record<string, string>>({});
  const [question] = useDebouncedValue({ message, person, tried }, typing);
  const has = hasContent(question.message);
  const attributes = Object.fromEntries(Object.entries(question.tried).filter(([, v]) => v !== ''));
  const { data, problem } = usePreview({ message: question.message, person: question.person, attributes });
  useProblem(problem, onProblem);
  if (readOnly)
    return (
      <Paper>
        <Title order={2} mb="sm">
          {t('preview')}
        </Title>
        <MessageBubble message={message} />
      </Paper>
    );
  return (
    <Paper pos="sticky" top={72}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('preview')}</Title>
        {data && has && <Counter length={data.length} most={data.max_length} />}
      </Group>
      <Stack gap="sm">
        <PersonSelect label={t('as')} placeholder={t('nobody')} value={person} onChange={setPerson} first={people} />
        {!has && (
          <Text c="dimmed" size="sm">
            {t('previewEmpty')}
          </Text>
        )}
        {has && problem && (
          <Alert color="orange">{problem.details['message.attachment_ids'] ? t('album') : sentenceOf(problem).message}</Alert>
        )}
        {has && data && !problem && (
          <>
            <Bubble text={data.text} entities={data.entities} files={data.attachments} />
            <Findings preview={data} person={person !== null} optOut={message.text.includes(optOut)} />
          </>
        )}
        <Samples text={message.text} tried={tried} onChange={setTried} />
      </Stack>
    </Paper>
  );
}

/** Other values to try, with those that somebody has as examples. */
function Samples({
  text,
  tried,
  onChange,
}: {
  text: string;
  tried: Record<string, string>;
  onChange: (t: Record<string, string>) => void;
}) {
  const { t } = useTranslation('kit');
  const known = useVariables();
  const names = variablesOf(text).filter((v) => v !== optOut);
  if (names.length === 0) return null;
  return (
    <details>
      <summary>
        <Text span size="sm">
          {t('try')}
        </Text>
      </summary>
      <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
        {names.map((name) => (
          <TextInput
            key={name}
            size="xs"
            label={name}
            placeholder={known.find((v) => v.name === name)?.sample}
            value={tried[name] ?? ''}
            onChange={(e) => onChange({ ...tried, [name]: e.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </details>
  );
}

/** Puts what is wrong with the text beside the text, and takes it away when it is right. */
function useProblem(problem: ApiError | undefined, tell: ((text: string | null) => void) | undefined): void {
  const latest = useRef(tell);
  latest.current = tell;
  const why = (problem && detailsOf(problem)['message.text']) ?? null;
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (why === told.current) return;
    told.current = why;
    latest.current?.(why);
  }, [why]);
}

/** What the preview found: variables that nobody has or that this person lacks, and no way to opt out. */
function Findings({ preview, person, optOut: has }: { preview: Schema<'ContentPreview'>; person: boolean; optOut: boolean }) {
  const { t } = useTranslation('kit');
  const names = (list: readonly string[]) => (
    <Group gap={4} mt={4}>
      {list.map((v) => (
        <Badge key={v} color="gray" c="var(--mantine-color-text)" ff="monospace">{`{{${v}}}`}</Badge>
      ))}
    </Group>
  );
  const { unknown_variables: unknown, missing_variables: missing } = preview;
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
      {!has && (
        <Alert color="yellow" title={t('noOptOut')}>
          {t('noOptOutText')}{' '}
          <Anchor component="span" c="inherit" ff="monospace" size="sm" underline="never">
            {`{{${optOut}}}`}
          </Anchor>
        </Alert>
      )}
    </>
  );
}
