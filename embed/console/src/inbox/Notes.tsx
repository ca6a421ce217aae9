import { ActionIcon, Button, Group, Skeleton, Text, Textarea, Title } from '@mantine/core';
import { type ApiError, call, Failed, queries, type Schema, type StreamEvent, useAction, useCan, useEvents, useMe, When } from '@shell';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './inbox.module.css';
import { asked, called, meantColleagues, withName } from './mention';
import { useColleagues } from './people';

type Note = Schema<'InboxNote'>;
const path = '/ai/conversations/{id}/notes';
const page = 20;
const longest = 4000;
const noted = ['ai.conversation.noted'] as const;

const keyOf = (id: string) => ['/inbox/notes', { id }] as const;

/** What colleagues wrote to each other beside a conversation. The customer never sees it. */
export function Notes({ conversation: id }: { conversation: string }) {
  const { t } = useTranslation('inbox');
  const may = useCan()('ai:operate');
  const [limit, setLimit] = useState(page);
  const { data, error, refetch } = useQuery<{ data: Note[]; total: number }, ApiError>({
    queryKey: [...keyOf(id), limit],
    enabled: may,
    placeholderData: (old) => old,
    queryFn: ({ signal }) => call('get', path, { path: { id }, query: { limit }, signal }),
  });
  useEvents(noted, (e: StreamEvent) => {
    if ((e.data as { data?: { conversation_id?: string } } | undefined)?.data?.conversation_id === id) void again(id);
  });
  if (!may) return null;
  return (
    <section className={classes.notes} aria-label={t('notes.title')}>
      <Title order={2} size="h6">
        {t('notes.title')}
      </Title>
      <Text size="xs" c="dimmed">
        {t('notes.about')}
      </Text>
      <Write conversation={id} />
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={48} />}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          {t('notes.none')}
        </Text>
      )}
      <ul className={classes.noteList}>
        {data?.data.map((n) => (
          <One key={n.id} note={n} />
        ))}
      </ul>
      {data && data.total > data.data.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setLimit((n) => n + page)}>
          {t('notes.more')}
        </Button>
      )}
    </section>
  );
}

const again = (id: string): Promise<void> => queries.invalidateQueries({ queryKey: keyOf(id) });

function One({ note: n }: { note: Note }) {
  const { t } = useTranslation('inbox');
  const remove = useAction('delete', '/ai/conversations/{id}/notes/{note_id}', { then: () => void again(n.conversation_id) });
  return (
    <li className={classes.note}>
      <Group gap={6} wrap="nowrap">
        <Text size="xs" fw={600} truncate>
          {n.author?.name ?? t('notes.key')}
        </Text>
        <Text size="xs" c="dimmed" style={{ flex: 1 }}>
          <When at={n.created_at} />
        </Text>
        {n.mine && (
          <ActionIcon
            size="sm"
            color="gray"
            loading={remove.pending}
            aria-label={t('notes.delete')}
            onClick={() => void remove.run({ path: { id: n.conversation_id, note_id: n.id } })}
          >
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {n.text}
      </Text>
    </li>
  );
}

/** A new note; "@" offers colleagues. mod+Enter adds it. */
function Write({ conversation: id }: { conversation: string }) {
  const { t } = useTranslation('inbox');
  const { user } = useMe();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const people = useColleagues(text !== '');
  const begin = asked(text);
  const found =
    begin === undefined
      ? []
      : meantColleagues(
          people.filter((p) => p.id !== user?.id),
          begin,
        );
  const index = Math.min(at, found.length - 1);
  const add = useAction('post', path, {
    then: () => {
      setText('');
      void again(id);
    },
  });
  const words = text.trim();
  const submit = () => void (words && add.run({ path: { id }, body: { text: words, mention_user_ids: called(words, people) } }));
  const take = (name: string) => {
    setText(withName(text, name));
    setAt(0);
  };
  const key = (e: KeyboardEvent) => {
    const chosen = found[index];
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) submit();
    else if (chosen && e.key === 'ArrowDown') setAt((index + 1) % found.length);
    else if (chosen && e.key === 'ArrowUp') setAt((index + found.length - 1) % found.length);
    else if (chosen && (e.key === 'Enter' || e.key === 'Tab')) take(chosen.name);
    else return;
    e.preventDefault();
  };
  return (
    <div>
      <Textarea
        aria-label={t('notes.write')}
        placeholder={t('notes.write')}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={longest}
        value={text}
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={key}
      />
      {found.length > 0 && (
        <ul className={classes.canned} aria-label={t('notes.people')}>
          {found.map((p, i) => (
            <li key={p.id}>
              <button type="button" data-chosen={i === index || undefined} onClick={() => take(p.name)}>
                {p.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {words !== '' && (
        <Button mt={6} size="compact-sm" variant="default" loading={add.pending} onClick={submit}>
          {t('notes.add')}
        </Button>
      )}
    </div>
  );
}
