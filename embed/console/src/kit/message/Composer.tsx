import { Grid, Group, Input, Paper, SegmentedControl, Stack, Switch, Text, Textarea } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Person } from '../people/PersonSelect';
import { Compose } from './Compose';
import { Counter } from './Counter';
import { Files } from './Files';
import type { Edit } from './marks';
import { type Format, formats, type Message, maxText } from './message';
import { Preview } from './Preview';
import { Templates } from './Templates';
import { Toolbar } from './Toolbar';
import { Variables } from './Variables';

interface Props {
  message: Message;
  onChange: (m: Partial<Message>) => void;
  /** What is wrong, beside what it is about. */
  errors?: { text?: ReactNode; attachment_ids?: ReactNode };
  /** Only the text may change, or nothing. */
  lock?: 'text' | 'all';
  /** Why it may not change. */
  lockedHint?: string;
  /** Text can be taken from a template. */
  templates?: boolean;
  /** Every message needs a way to opt out: the button of it is marked until the text has it. */
  needsOptOut?: boolean;
  /** See Preview. */
  onProblem?: (text: string | null) => void;
  people?: readonly Person[];
  /** The id of the text, for who leads to it. */
  id?: string;
  /** What stands above the text. */
  children?: ReactNode;
}

/** The one place where a message is written: what is typed at the left, what one person gets at the right. */
export function Composer(p: Props) {
  const free = p.lock === undefined;
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          {p.children}
          <Paper>
            <Stack>
              {p.templates && free && <Templates message={p.message} onTake={p.onChange} />}
              <TextPart {...p} />
            </Stack>
          </Paper>
          <Files
            ids={p.message.attachment_ids}
            onChange={(attachment_ids) => p.onChange({ attachment_ids })}
            readOnly={!free}
            error={p.errors?.attachment_ids}
          />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Preview message={p.message} onProblem={p.onProblem} readOnly={p.lock === 'all'} people={p.people} />
      </Grid.Col>
    </Grid>
  );
}

/** The text with its format and its tools. */
function TextPart({ message: m, onChange, errors, lock, lockedHint, needsOptOut, id = 'message-text' }: Props) {
  const { t } = useTranslation('kit');
  const { box, edit } = useEdits(m.text, (text) => onChange({ text }));
  const free = lock === undefined;
  return (
    <div>
      <Group justify="space-between" mb="xs" gap="xs">
        <Input.Label htmlFor={id}>{t('text')}</Input.Label>
        <Group gap="sm">
          {m.link_preview !== undefined && (
            <Switch
              size="sm"
              label={t('linkPreview')}
              checked={m.link_preview}
              disabled={!free}
              onChange={(e) => onChange({ link_preview: e.currentTarget.checked })}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t('format')}
            data={formats.map((value) => ({ value, label: t(`formats.${value}`) }))}
            value={m.format}
            onChange={(f) => onChange({ format: f as Format })}
            disabled={!free}
          />
        </Group>
      </Group>
      {lock !== 'all' && (
        <Toolbar format={m.format} onEdit={edit}>
          <Variables text={m.text} needsOptOut={needsOptOut ?? false} onPut={(what) => edit(inserting(what))} />
          <Compose text={m.text} onInsert={(x) => edit(inserting(x))} onReplace={(text) => onChange({ text })} />
        </Toolbar>
      )}
      <Textarea
        id={id}
        ref={box}
        autosize
        minRows={8}
        maxRows={24}
        value={m.text}
        disabled={lock === 'all'}
        error={errors?.text}
        onChange={(e) => onChange({ text: e.currentTarget.value })}
      />
      <Text size="xs" c="dimmed" mt={6}>
        {lock === 'all' ? lockedHint : t(`formatHint.${m.format}`)}
      </Text>
    </div>
  );
}

/** Puts something where the cursor is, apart from the word before it. */
const inserting =
  (what: string) =>
  (text: string, from: number, to: number): Edit => {
    const put = from > 0 && !/[\s(«“"]$/.test(text.slice(0, from)) ? ` ${what}` : what;
    return { text: text.slice(0, from) + put + text.slice(to), from: from + put.length, to: from + put.length };
  };

/** Changes at the cursor, which stays where it belongs. */
export function useEdits(text: string, set: (text: string) => void) {
  const box = useRef<HTMLTextAreaElement>(null);
  const edit = (make: (text: string, from: number, to: number) => Edit) => {
    const at = box.current;
    // A box that nobody has been in yet has its cursor at the beginning; what is put in goes behind the text.
    const been = at !== null && (document.activeElement === at || at.selectionStart > 0);
    const next = make(text, been ? at.selectionStart : text.length, been ? at.selectionEnd : text.length);
    set(next.text);
    requestAnimationFrame(() => {
      at?.focus();
      at?.setSelectionRange(next.from, next.to);
    });
  };
  return { box, edit };
}

interface PlainProps {
  label: string;
  description?: ReactNode;
  value: string;
  error?: ReactNode;
  onChange: (text: string) => void;
}

/** The composer of a text that is sent as it is written: emoji and the counter, neither markup nor variables. */
export function PlainComposer({ label, description, value, error, onChange }: PlainProps) {
  const { box, edit } = useEdits(value, onChange);
  return (
    <div>
      <Textarea
        ref={box}
        label={label}
        description={description}
        value={value}
        onChange={(e) => onChange(e.currentTarget.value)}
        error={error}
        autosize
        minRows={3}
        maxRows={10}
        mb={6}
      />
      <Group justify="space-between">
        <Toolbar format="PLAIN" onEdit={edit} />
        <Counter length={value.length} most={maxText} />
      </Group>
    </div>
  );
}
