import { Alert, Anchor, Button, Group, Paper, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ApiError, currentLanguage, Dialog, type Href, Link, type Schema, sentenceOf, Status, useAction, useCan } from '@shell';
import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxText } from './message';

const tasks = ['WRITE', 'IMPROVE', 'SHORTEN', 'TRANSLATE', 'VARIANTS'] as const;
type Task = (typeof tasks)[number];
const languages = ['uz', 'ru', 'en'] as const;
type Language = (typeof languages)[number];
type Composed = Schema<'EngineComposed'>;

interface Props {
  text: string;
  onInsert: (text: string) => void;
  onReplace: (text: string) => void;
}

/** Where a refusal is mended, by its code. */
const mended: Readonly<Record<string, Href>> = { budget_exceeded: '/ai/budgets', ai_unavailable: '/ai/providers' };

/** The tasks that need a brief, for there may be no text yet (contract 12.5). */
export const needsBrief = (task: Task, text: string): boolean => task === 'WRITE' || (task === 'VARIANTS' && text.trim() === '');

/** A button that asks the AI for a text; what it answers is put in or replaces what stands there. */
export function Compose(p: Props) {
  const { t } = useTranslation('kit');
  const can = useCan();
  const [open, setOpen] = useState(false);
  if (!can('ai') || (!can('ai:operate') && !can('campaigns:manage'))) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" leftSection={<IconSparkles size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t('compose.open')}
      </Button>
      {open && <Ask {...p} onClose={() => setOpen(false)} />}
    </>
  );
}

function Ask({ text, onInsert, onReplace, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation(['kit', 'shell']);
  const [answer, setAnswer] = useState<Composed>();
  const [refused, setRefused] = useState<ApiError>();
  const empty = text.trim() === '';
  const form = useForm({
    initialValues: { task: (empty ? 'WRITE' : 'IMPROVE') as Task, brief: '', language: currentLanguage() as Language, tone: '' },
    validate: { brief: (v, all) => (needsBrief(all.task, text) && v.trim() === '' ? t('compose.briefMissing') : null) },
  });
  const compose = useAction('post', '/ai/compose', {
    form,
    stale: ['/ai/executions', '/ai/costs', '/ai/budgets'],
    then: setAnswer,
    failed: (e) => Object.keys(e.details).length === 0 && (setRefused(e), true),
  });
  const ask = form.onSubmit((v) => {
    setRefused(undefined);
    void compose.run({
      body: {
        task: v.task,
        language: v.language,
        brief: v.brief.trim() || null,
        text: v.task === 'WRITE' || empty ? null : text,
        tone: v.tone.trim() || null,
        max_length: maxText,
      },
    });
  });
  const use = (put: (x: string) => void) => (x: string) => {
    put(x);
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={t('compose.open')} size="lg">
      <form
        onSubmit={(e) => {
          e.stopPropagation(); // the form of the page around it is not meant
          ask(e);
        }}
        noValidate
      >
        <Stack>
          <Select
            label={t('compose.task')}
            allowDeselect={false}
            data={tasks.filter((x) => !empty || needsBrief(x, '')).map((value) => ({ value, label: t(`compose.tasks.${value}`) }))}
            {...form.getInputProps('task')}
          />
          <Textarea
            label={t('compose.brief')}
            description={t('compose.briefHint', { variable: '{{first_name}}' })}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            data-autofocus
            {...form.getInputProps('brief')}
          />
          <Group grow align="flex-start">
            <Select
              label={t('compose.language')}
              allowDeselect={false}
              data={languages.map((value) => ({ value, label: t(`compose.languages.${value}`) }))}
              {...form.getInputProps('language')}
            />
            <TextInput label={t('compose.tone')} placeholder={t('compose.toneSample')} maxLength={100} {...form.getInputProps('tone')} />
          </Group>
          <Text size="xs" c="dimmed">
            {t('compose.private')}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={compose.pending}>
              {t(answer ? 'compose.again' : 'compose.ask')}
            </Button>
          </Group>
        </Stack>
      </form>
      <div role="status">
        {refused && <Refused error={refused} />}
        {answer && !refused && <Answer of={answer} replaces={!empty} onInsert={use(onInsert)} onReplace={use(onReplace)} />}
      </div>
    </Dialog>
  );
}

/** Why nothing was written, and the way to where that is mended. */
function Refused({ error }: { error: ApiError }) {
  const { t } = useTranslation('kit');
  const can = useCan();
  const to = mended[error.code];
  return (
    <Alert color="orange" mt="md" title={t('compose.refused')}>
      {sentenceOf(error).message}
      {to && can('ai') && (
        <div>
          <Anchor component={Link} to={to} inherit underline="always">
            {t(to === '/ai/budgets' ? 'compose.toBudgets' : 'compose.toProviders')}
          </Anchor>
        </div>
      )}
    </Alert>
  );
}

interface AnswerProps {
  of: Composed;
  replaces: boolean;
  onInsert: (text: string) => void;
  onReplace: (text: string) => void;
}

/** What was written, each version with its own buttons; the words of the demo model say so. */
function Answer({ of: a, replaces, onInsert, onReplace }: AnswerProps) {
  const { t } = useTranslation('kit');
  const versions = [a.text, ...(a.variants ?? [])].filter((x, i, all) => all.indexOf(x) === i);
  return (
    <Stack mt="md" gap="sm">
      {(a.warnings ?? []).map((w) => (
        <Alert key={w.code} color="yellow" p="xs">
          {t(`compose.warning.${w.code}`)}
        </Alert>
      ))}
      {versions.map((x) => (
        <Paper key={x} withBorder p="sm" data-answer>
          {a.demo && <Status state="WARN" label={t('compose.demo')} />}
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} my={6}>
            {x}
          </Text>
          <Group gap="xs">
            <Button size="compact-sm" onClick={() => onInsert(x)}>
              {t('compose.insert')}
            </Button>
            {replaces && (
              <Button size="compact-sm" variant="default" onClick={() => onReplace(x)}>
                {t('compose.replace')}
              </Button>
            )}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
