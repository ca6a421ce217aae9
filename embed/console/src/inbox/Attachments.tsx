import { Button, Progress, Text, UnstyledButton } from '@mantine/core';
import { asApiError, late, sentenceOf, useFormat } from '@shell';
import { IconFile, IconFileTypePdf, IconPhotoOff } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './files.module.css';
import { askForFile, type File, fileAddress } from './types';
import { Voice } from './Voice';

const Viewer = late(() => import('./Viewer'));

interface Props {
  of: readonly File[];
  conversation: string;
  /** Of an imported history: they are fetched when somebody asks for them. */
  imported?: boolean;
}

/** What browsers show in place, by the type that the bytes have; all else is saved (contract 10.4). */
export const isPicture = (f: File): boolean => /^image\/(jpeg|png|gif|webp)$/.test(f.mime_type ?? '');
const isVideo = (f: File): boolean => (f.mime_type ?? '').startsWith('video/');
const isAudio = (f: File): boolean => (f.mime_type ?? '').startsWith('audio/');

/** The files of a message. */
export function Attachments({ of, conversation, imported = false }: Props) {
  const { t } = useTranslation('inbox');
  const [open, setOpen] = useState<string>();
  const pictures = of.filter((f) => f.status === 'STORED' && isPicture(f) && f.kind !== 'STICKER');
  return (
    <div className={classes.files} data-album={pictures.length > 1 || undefined}>
      {of.map((f) => (
        <One key={f.id} file={f} conversation={conversation} waits={imported} onOpen={() => setOpen(f.id)} />
      ))}
      {open && (
        <Suspense>
          <Viewer
            title={t('viewer')}
            files={pictures}
            at={Math.max(
              0,
              pictures.findIndex((f) => f.id === open),
            )}
            conversation={conversation}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

function One({ file: f, conversation, waits, onOpen }: { file: File; conversation: string; waits: boolean; onOpen: () => void }) {
  const { t } = useTranslation('inbox');
  const name = f.file_name ?? t(`file.${f.kind}`);
  const src = fileAddress(conversation, f.id);
  if (f.status !== 'STORED') return <Absent file={f} conversation={conversation} waits={waits} />;
  if (isPicture(f)) {
    const ratio = f.width && f.height ? f.width / f.height : 1;
    const small = f.kind === 'STICKER';
    return (
      <UnstyledButton
        onClick={onOpen}
        aria-label={t('openPicture', { name })}
        disabled={small}
        className={classes.picture}
        data-small={small || undefined}
      >
        <img
          src={f.thumb && !small ? fileAddress(conversation, f.id, true) : src}
          alt={name}
          loading="lazy"
          decoding="async"
          style={{ aspectRatio: String(Math.min(3, Math.max(0.4, ratio))) }}
        />
      </UnstyledButton>
    );
  }
  if (f.kind === 'VOICE' || isAudio(f)) return <Voice file={f} src={src} />;
  if (isVideo(f))
    return (
      <video
        src={src}
        controls={f.kind !== 'ANIMATION'}
        loop={f.kind === 'ANIMATION'}
        muted={f.kind === 'ANIMATION'}
        preload="metadata"
        aria-label={name}
        className={classes.video}
      />
    );
  return <Saved file={f} src={src} name={name} />;
}

/** A document: a PDF is opened in a tab, all else is saved. */
function Saved({ file: f, src, name }: { file: File; src: string; name: string }) {
  const pdf = f.mime_type === 'application/pdf';
  const Icon = pdf ? IconFileTypePdf : IconFile;
  const to = pdf ? { target: '_blank', rel: 'noopener noreferrer' } : { download: name };
  return (
    <a href={src} {...to} className={classes.document}>
      <Icon size={26} stroke={1.4} aria-hidden />
      <span>
        <span className={classes.fileName}>{name}</span>
        <Size of={f} />
      </span>
    </a>
  );
}

function Size({ of: f }: { of: File }) {
  const { t } = useTranslation(['inbox', 'kit']);
  const format = useFormat();
  if (!f.size_bytes) return null;
  const size =
    f.size_bytes >= 1 << 20
      ? t('kit:megabytes', { size: format.number(Math.round(f.size_bytes / 104857.6) / 10) })
      : t('kit:kilobytes', { size: format.number(Math.max(1, Math.round(f.size_bytes / 1024))) });
  return <span className={classes.small}>{size}</span>;
}

/** A file that is not there: it comes, it waits until somebody wants it, or it says why it could not be kept. */
function Absent({ file: f, conversation, waits }: { file: File; conversation: string; waits: boolean }) {
  const { t } = useTranslation('inbox');
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState<string>();
  const state = asked || (f.status === 'PENDING' && !waits) ? 'PENDING' : f.status === 'PENDING' ? 'WAITING' : f.status;
  const ask = async () => {
    setProblem(undefined);
    try {
      await askForFile(conversation, f.id);
      setAsked(true);
    } catch (e) {
      setProblem(sentenceOf(asApiError(e)).message);
    }
  };
  return (
    <div className={classes.absent} data-file={f.status}>
      {state === 'PENDING' || state === 'WAITING' ? (
        <IconFile size={22} stroke={1.4} aria-hidden />
      ) : (
        <IconPhotoOff size={22} stroke={1.4} aria-hidden />
      )}
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" truncate>
          {f.file_name ?? t(`file.${f.kind}`)}
        </Text>
        <Text size="xs" c="dimmed" role={problem ? 'alert' : undefined}>
          {problem ?? t(`fileState.${state}` as never)}
        </Text>
        {state === 'PENDING' && <Progress value={100} animated size="xs" aria-label={t('fileState.PENDING')} />}
      </div>
      {state !== 'PENDING' && (
        <Button size="compact-xs" variant="default" onClick={() => void ask()}>
          {t('fileFetch')}
        </Button>
      )}
    </div>
  );
}
