import { ActionIcon, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { FeedbackButton, Formatted, WhyButton } from '@kit';
import { asApiError, codeWord, type Schema, sentenceOf, useFormat } from '@shell';
import { IconArrowBackUp, IconCheck, IconChecks, IconClock, IconExclamationCircle, IconMapPin, IconUser } from '@tabler/icons-react';
import i18next from 'i18next';
import { memo, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Attachments } from './Attachments';
import { FileGone, goesAgain, lostOf, sendAgain } from './again';
import { DemoMark } from './DemoMark';
import classes from './inbox.module.css';
import { discard, type Outgoing, retry } from './outbox';
import type { Message } from './types';

interface Props {
  of: Message;
  conversation: string;
  onQuote?: (m: Message) => void;
  onQuoted: (id: string) => void;
}

/** One message, at the side of who wrote it. Drawn anew only when it changed. */
export const MessageRow = memo(function MessageRow({ of: m, conversation, onQuote, onQuoted }: Props) {
  const { t } = useTranslation('inbox');
  if (m.kind === 'SERVICE')
    return (
      <div className={classes.day} data-message={m.id}>
        {m.text ?? t('kind.SERVICE')}
      </div>
    );
  const mayQuote = onQuote && m.platform_message_id !== null && m.deleted_at === null;
  return (
    <div className={classes.row} data-out={m.direction === 'OUT' || undefined} data-message={m.id}>
      <div className={classes.bubble} data-author={m.author}>
        {m.direction === 'OUT' && (
          <span className={classes.author}>
            {authorOf(m, t)} {m.demo && <DemoMark />}
          </span>
        )}
        {m.forward && <span className={classes.small}>{t('forwarded', { name: m.forward.name ?? t('hidden') })}</span>}
        {m.reply_to && (
          <Quote
            author={m.reply_to.author}
            preview={m.reply_to.preview}
            onOpen={m.reply_to.id ? () => onQuoted(m.reply_to!.id!) : undefined}
          />
        )}
        <Content of={m} conversation={conversation} />
        {m.reactions.length > 0 && (
          <span className={classes.reactions}>
            {m.reactions.map((r) => (
              <span key={r.by} title={t(`reacted.${r.by}`)}>
                {r.emoji}
              </span>
            ))}
          </span>
        )}
        <Meta of={m} />
        {m.status === 'FAILED' && <FailedLine of={m} conversation={conversation} />}
      </div>
      {m.author === 'AI' && (m.execution_id || m.draft_id) && (
        <FeedbackButton target="MESSAGE" id={m.id} text={m.text} small className={classes.quote} />
      )}
      {mayQuote && (
        <ActionIcon className={classes.quote} size="sm" onClick={() => onQuote(m)} aria-label={t('quote')}>
          <IconArrowBackUp size={16} aria-hidden />
        </ActionIcon>
      )}
      {m.direction === 'OUT' && m.execution_id && <WhyButton execution={m.execution_id} className={classes.quote} />}
    </div>
  );
});

type T = (key: never, values?: Record<string, string>) => string;

function authorOf(m: Message, t: unknown): string {
  return m.author === 'HUMAN' && m.author_user?.name ? m.author_user.name : (t as T)(`author.${m.author}` as never);
}

function Content({ of: m, conversation }: { of: Message; conversation: string }) {
  const { t } = useTranslation('inbox');
  if (m.deleted_at) return <span className={classes.gone}>{t('deleted')}</span>;
  if (m.purged) return <span className={classes.gone}>{t('purged')}</span>;
  return (
    <>
      {m.files.length > 0 && <Attachments of={m.files} conversation={conversation} imported={m.imported} />}
      {m.text && <Formatted text={m.text} entities={m.entities as Schema<'MarkupEntity'>[]} links />}
      {m.location && <Place of={m.location} />}
      {m.contact_card && <Card of={m.contact_card} />}
    </>
  );
}

function Place({ of: p }: { of: Schema<'ChannelLocation'> }) {
  const { t } = useTranslation('inbox');
  const at = `${p.lat.toFixed(5)}, ${p.lon.toFixed(5)}`;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconMapPin size={18} aria-hidden style={{ flex: 'none' }} />
      <Text size="sm" component="span">
        {p.title && <strong>{p.title} </strong>}
        {p.address && <>{p.address} </>}
        <a href={`/#17/${p.lat}/${p.lon}`} target="_blank" rel="noopener noreferrer" aria-label={`${t('kind.LOCATION')} ${at}`}>
          {at}
        </a>
      </Text>
    </Group>
  );
}

function Card({ of: c }: { of: Schema<'ChannelCard'> }) {
  return (
    <Group gap={6} wrap="nowrap">
      <IconUser size={18} aria-hidden style={{ flex: 'none' }} />
      <Text size="sm" component="span">
        <strong>{[c.first_name, c.last_name].filter(Boolean).join(' ')}</strong> {c.phone && <a href={`tel:${c.phone}`}>{c.phone}</a>}
      </Text>
    </Group>
  );
}

/** What a message answers. */
export function Quote({ author, preview, onOpen }: { author: Message['author'] | null; preview: string | null; onOpen?: () => void }) {
  const { t } = useTranslation('inbox');
  const words = (
    <>
      <span className={classes.quoteAuthor}>{author ? t(`author.${author}`) : t('quoteGone')}</span>
      {preview && <span className={classes.quoteText}>{preview}</span>}
    </>
  );
  if (!onOpen) return <span className={classes.quoted}>{words}</span>;
  return (
    <UnstyledButton className={classes.quoted} onClick={onOpen}>
      {words}
    </UnstyledButton>
  );
}

/** When, whether it was changed, and how far it got. */
function Meta({ of: m }: { of: Message }) {
  const { t } = useTranslation('inbox');
  const f = useFormat();
  return (
    <span className={classes.meta}>
      {m.imported && <span>{t('imported')}</span>}
      {m.edited_at && !m.deleted_at && <span>{t('edited')}</span>}
      <time dateTime={m.at} title={f.time(m.at)}>
        {f.clock(m.at)}
      </time>
      {m.direction === 'OUT' && <State status={m.status} read={m.read_at !== null} />}
    </span>
  );
}

function State({ status, read }: { status: Message['status']; read: boolean }) {
  const { t } = useTranslation('inbox');
  const state = status === 'SENT' && read ? 'READ' : status;
  const Icon = { QUEUED: IconClock, SENDING: IconClock, SENT: IconCheck, READ: IconChecks, FAILED: IconExclamationCircle }[state as 'SENT'];
  const words = t(`status.${state}` as never) as string;
  return Icon ? <Icon size={15} role="img" aria-label={words} data-state={state} /> : <span data-state={state}>{words}</span>;
}

/** Why a reply was not sent, in words. */
function reasonOf(code: string | null): string {
  const own = `failed.${code ?? 'TRANSPORT'}`;
  return i18next.exists(own, { ns: 'inbox' }) ? (i18next.t(own as never, { ns: 'inbox' }) as string) : codeWord(code ?? 'TRANSPORT');
}

function FailedLine({ of: m, conversation }: { of: Message; conversation: string }) {
  const { t } = useTranslation('inbox');
  const [going, setGoing] = useState(false);
  const [problem, setProblem] = useState<string>();
  const lost = lostOf(m);
  const go = async () => {
    setGoing(true);
    setProblem(undefined);
    try {
      await sendAgain(conversation, m);
    } catch (e) {
      setProblem(e instanceof FileGone ? t('againFileGone', { name: nameOf(e.file) }) : sentenceOf(asApiError(e)).message);
    }
    setGoing(false);
  };
  const nameOf = (f: Message['files'][number]): string => f.file_name ?? t(`file.${f.kind}`);
  return (
    <>
      <Line words={reasonOf(m.error_code)}>
        {goesAgain(m) && !lost && (
          <Button size="compact-xs" variant="default" loading={going} onClick={() => void go()}>
            {t('again')}
          </Button>
        )}
      </Line>
      {lost && <Line words={t('againFileGone', { name: nameOf(lost) })} />}
      {problem && <Line words={problem} />}
    </>
  );
}

function Line({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <Group gap="xs" mt={4}>
      <Text size="xs" c="var(--mantine-color-error)" role="alert">
        {words}
      </Text>
      {children}
    </Group>
  );
}

/** A reply on its way to the server. */
export function OutgoingRow({ of: o }: { of: Outgoing }) {
  const { t } = useTranslation('inbox');
  const f = useFormat();
  return (
    <div className={classes.row} data-out data-message={o.clientId}>
      <div className={classes.bubble} data-author="HUMAN">
        <span className={classes.author}>{t('you')}</span>
        {o.quote && <Quote author={o.quote.author} preview={o.quote.preview} />}
        {o.files.map((x) => (
          <span key={x.upload_id} className={classes.small}>
            {x.file_name}
          </span>
        ))}
        {o.text && <Formatted text={o.text} entities={null} />}
        <span className={classes.meta}>
          <time dateTime={o.at}>{f.clock(o.at)}</time>
          <State status={o.problem ? 'FAILED' : 'QUEUED'} read={false} />
        </span>
        {o.problem && (
          <Line words={sentenceOf(o.problem).message}>
            <Button size="compact-xs" variant="default" onClick={() => retry(o)}>
              {t('again')}
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => discard(o)}>
              {t('discard')}
            </Button>
          </Line>
        )}
      </div>
    </div>
  );
}
