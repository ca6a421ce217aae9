import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './files.module.css';
import type { File } from './types';
import { bars, heightsOf, lengthOf } from './waveform';

const count = 40;
const speeds = [1, 1.5, 2] as const;

/** A voice message or a piece of music: its waveform shows where it is, and a click goes there. */
export function Voice({ file: f, src }: { file: File; src: string }) {
  const { t } = useTranslation('inbox');
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [at, setAt] = useState(0); // s
  const [speed, setSpeed] = useState<number>(1);
  const [broken, setBroken] = useState(false);
  const heights = useMemo(() => bars(heightsOf(f.waveform), count), [f.waveform]);
  const length = f.duration_seconds || audio.current?.duration || 0;
  const share = length > 0 ? Math.min(1, at / length) : 0;
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = speed;
  }, [speed]);
  const toggle = () => {
    const a = audio.current;
    if (!a) return;
    if (playing) a.pause();
    else void a.play().catch(() => setBroken(true));
  };
  const go = (to: number) => {
    if (audio.current && length > 0) audio.current.currentTime = Math.min(length, Math.max(0, to));
  };
  if (broken)
    return (
      <a href={src} download className={classes.document} data-voice>
        <span>
          <span className={classes.fileName}>{f.file_name ?? t(`file.${f.kind}`)}</span>
          <span className={classes.small}>{t('cannotPlay')}</span>
        </span>
      </a>
    );
  return (
    <div className={classes.voice} data-voice>
      {/* biome-ignore lint/a11y/useMediaCaption: what customers say has none */}
      <audio
        ref={audio}
        src={src}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={(e) => setAt(e.currentTarget.currentTime)}
        onError={() => setBroken(true)}
      />
      <ActionIcon variant="filled" radius="xl" onClick={toggle} aria-label={t(playing ? 'pause' : 'play')}>
        {playing ? <IconPlayerPause size={17} aria-hidden /> : <IconPlayerPlay size={17} aria-hidden />}
      </ActionIcon>
      <div
        className={classes.wave}
        role="slider"
        tabIndex={0}
        aria-label={f.file_name ?? t(`file.${f.kind}`)}
        aria-valuemin={0}
        aria-valuemax={Math.round(length)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={lengthOf(at)}
        onClick={(e) => {
          const box = e.currentTarget.getBoundingClientRect();
          go(((e.clientX - box.left) / box.width) * length);
        }}
        onKeyDown={(e) => {
          if (e.key === 'ArrowRight') go(at + 5);
          else if (e.key === 'ArrowLeft') go(at - 5);
          else if (e.key === ' ' || e.key === 'Enter') toggle();
          else return;
          e.preventDefault();
        }}
      >
        {heights.map((h, i) => (
          <span key={i} style={{ height: `${12 + (h / 31) * 88}%` }} data-played={i / count < share || undefined} />
        ))}
      </div>
      <span className={classes.small}>{lengthOf(playing || at > 0 ? at : length)}</span>
      <UnstyledButton
        className={classes.small}
        onClick={() => setSpeed(speeds[(speeds.indexOf(speed as 1) + 1) % speeds.length]!)}
        aria-label={t('speed', { speed: String(speed) })}
      >
        {speed}×
      </UnstyledButton>
    </div>
  );
}
