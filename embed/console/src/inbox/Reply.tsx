import { ActionIcon, Alert, FileButton, Group, Progress, Text, Tooltip } from '@mantine/core';
import { type Format, ReplyComposer, wordsOf } from '@kit';
import { useCan, useGet, When } from '@shell';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asksForCanned, filled, meant } from './canned';
import { nothing } from './drafts';
import classes from './inbox.module.css';
import { Quote } from './MessageRow';
import { send, type Words } from './outbox';
import { Typing, useSayTyping } from './Typing';
import type { Opened, Upload } from './types';
import { type Sending, useUploads } from './uploads';

interface Props {
  of: Opened;
  draft: Words;
  onDraft: (change: Partial<Words>) => void;
}

/** The answer: whether one may be given, on what ground and until when, and the text with its files. */
export function Reply({ of: o, draft, onDraft }: Props) {
  const { t } = useTranslation('inbox');
  const may = useCan()('ai:operate');
  const latest = useRef(draft);
  latest.current = draft;
  const taken = (u: Upload) => onDraft({ files: [...latest.current.files, u] });
  const limits = o.reply.attachments;
  const uploads = useUploads({
    conversation: o.id,
    files: draft.files,
    onTaken: taken,
    mostFiles: limits.max_files,
    mostMB: limits.max_file_mb,
  });
  const open = may && o.reply.allowed;
  const add = open && limits.max_files > 0 ? uploads.add : undefined;
  useDropped(add);
  const canned = useCanned(o, draft, onDraft);
  const sayTyping = useSayTyping(o.id);
  if (!may) return <div className={classes.foot}>{t('mayNotAnswer')}</div>;
  const submit = () => {
    const words = { ...draft, text: draft.text.trim() };
    onDraft({ ...nothing, quote: undefined });
    send(o.id, words);
  };
  const ready = !uploads.busy && (draft.text.trim() !== '' || draft.files.length > 0);
  return (
    <div className={classes.foot}>
      <Ground of={o} />
      <Typing conversation={o.id} />
      {open && (
        <ReplyComposer
          id="reply-text"
          label={t('write')}
          text={draft.text}
          format={draft.format as Format}
          onChange={(change) => {
            if (change.text) sayTyping();
            onDraft(change);
          }}
          onSend={submit}
          ready={ready}
          formats={o.reply.formats}
          most={o.reply.max_length}
          unit={o.reply.max_length_unit}
          onKey={canned.onKey}
          onPaste={(e: ClipboardEvent) => {
            const files = [...e.clipboardData.files];
            if (files.length === 0 || !add) return;
            e.preventDefault();
            add(files);
          }}
          tools={add && <Attach onFiles={add} />}
        >
          {canned.list}
          {draft.quote && (
            <Group gap="xs" wrap="nowrap" mb={6}>
              <div style={{ flex: 1, minWidth: 0 }}>
                <Quote author={draft.quote.author} preview={draft.quote.preview} />
              </div>
              <Remove label={t('noQuote')} onRemove={() => onDraft({ quote: undefined })} />
            </Group>
          )}
          <Files draft={draft} sending={uploads.sending} onDraft={onDraft} onDrop={uploads.drop} />
        </ReplyComposer>
      )}
    </div>
  );
}

/** Why an answer may be given, and until when; or why not. */
function Ground({ of: o }: { of: Opened }) {
  const { t } = useTranslation('inbox');
  const r = o.reply;
  if (!r.allowed)
    return (
      <Alert color="orange" p="xs" role="status">
        {t(`refused.${r.code ?? 'ACCOUNT_UNAVAILABLE'}`)}
      </Alert>
    );
  return (
    <Text size="xs" c="dimmed" mb={4} data-ground={r.basis}>
      {t(`basis.${r.basis ?? 'CONSENT'}`)}
      {r.basis === 'REPLY_WINDOW' && (
        <>
          {' '}
          <When at={r.window_ends_at} />
        </>
      )}
    </Text>
  );
}

function Attach({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('inbox');
  return (
    <FileButton multiple onChange={onFiles}>
      {(props) => (
        <Tooltip label={t('attach')}>
          <ActionIcon {...props} color="gray" c="var(--mantine-color-text)" aria-label={t('attach')}>
            <IconPaperclip size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  );
}

interface FilesProps {
  draft: Words;
  sending: readonly Sending[];
  onDraft: Props['onDraft'];
  onDrop: (key: string) => void;
}

function Files({ draft, sending, onDraft, onDrop }: FilesProps) {
  const { t } = useTranslation('inbox');
  if (draft.files.length === 0 && sending.length === 0) return null;
  return (
    <div className={classes.uploads}>
      {draft.files.map((u) => (
        <div key={u.upload_id} className={classes.upload}>
          <Text size="xs" truncate>
            {u.file_name}
          </Text>
          <Remove
            label={t('takeOut', { name: u.file_name })}
            onRemove={() => onDraft({ files: draft.files.filter((x) => x.upload_id !== u.upload_id) })}
          />
        </div>
      ))}
      {sending.map((u) => (
        <div key={u.key} className={classes.upload}>
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="xs" truncate>
              {u.name}
            </Text>
            {u.problem ? (
              <Text size="xs" c="var(--mantine-color-error)" role="alert">
                {u.problem}
              </Text>
            ) : (
              <Progress size="xs" value={100 * u.sent} aria-label={t('uploading', { name: u.name })} />
            )}
          </div>
          <Remove label={t('takeOut', { name: u.name })} onRemove={() => onDrop(u.key)} />
        </div>
      ))}
    </div>
  );
}

function Remove({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <ActionIcon size="sm" color="gray" onClick={onRemove} aria-label={label}>
      <IconX size={14} aria-hidden />
    </ActionIcon>
  );
}

/** Files that are dropped anywhere on the page go into the answer: the browser would open them in its place. */
function useDropped(add: ((files: File[]) => void) | undefined): void {
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const over = (e: DragEvent) => {
      if (e.dataTransfer?.types.includes('Files')) e.preventDefault();
    };
    const drop = (e: DragEvent) => {
      if (!e.dataTransfer?.files.length) return;
      e.preventDefault();
      latest.current?.([...e.dataTransfer.files]);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, []);
}

/** Ready answers: "/" at the beginning of an empty text offers templates; the arrows choose, Enter takes one. */
function useCanned(o: Opened, draft: Words, onDraft: Props['onDraft']) {
  const { t } = useTranslation('inbox');
  const can = useCan()('campaigns:read');
  const asked = can && asksForCanned(draft.text);
  const { data } = useGet('/templates', { query: { limit: 500, sort: 'name' } }, { enabled: asked });
  const [at, setAt] = useState(0);
  const found = asked ? meant(data?.data ?? [], draft.text) : [];
  const index = Math.min(at, found.length - 1);
  const take = (x: (typeof found)[number]) => {
    const plain = x.format === 'PLAIN' || !o.reply.formats;
    onDraft({ text: filled(plain ? wordsOf(x) : x.text, o), format: plain ? 'PLAIN' : (x.format as Format) });
    setAt(0);
  };
  const onKey = (e: KeyboardEvent): boolean => {
    const chosen = found[index];
    if (!chosen || e.ctrlKey || e.metaKey) return false;
    if (e.key === 'ArrowDown') setAt((index + 1) % found.length);
    else if (e.key === 'ArrowUp') setAt((index + found.length - 1) % found.length);
    else if (e.key === 'Enter' || e.key === 'Tab') take(chosen);
    else return false;
    return true;
  };
  const list = found.length > 0 && (
    <ul className={classes.canned} aria-label={t('canned')}>
      {found.map((x, i) => (
        <li key={x.id}>
          <button type="button" data-chosen={i === index || undefined} onClick={() => take(x)}>
            <strong>{x.name}</strong> <span>{wordsOf(x).slice(0, 80)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
  return { onKey, list };
}
