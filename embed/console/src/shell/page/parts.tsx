// Small parts that every page uses.
import { Code, type MantineColor, Skeleton, Text, Timeline as MantineTimeline } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer, Input, PathOf } from '../api/client';
import { useGet } from '../api/query';
import { useClock } from '../language/clock';
import { useFormat } from '../language/format';
import classes from './parts.module.css';
import { colorOf } from './states';

/** A state in words, in the one colour that it has everywhere. */
export function Status({ state, label, color }: { state: string; label: string; color?: MantineColor }) {
  return (
    <span className={`${classes.mark} ${classes.state}`} style={tint(color ?? colorOf(state))}>
      {label}
    </span>
  );
}

/** A word that somebody gave to something. */
export function Tag({ children }: { children: string }) {
  return (
    <span className={classes.mark} style={tint('gray')}>
      {children}
    </span>
  );
}

const tint = (color: MantineColor) => ({ '--mark': `var(--mantine-color-${color}-light)` }) as CSSProperties;

/** What stands beside the main thing of a cell, paler. */
export function Beside({ children }: { children: ReactNode }) {
  return <span className={`${classes.beside} ${classes.after}`}>{children}</span>;
}

/** What a cell says instead of a value. */
export function Pale({ children }: { children: ReactNode }) {
  return <span className={classes.beside}>{children}</span>;
}

/** Several small things in one line, as far as it is long enough. */
export function Inline({ children }: { children: ReactNode }) {
  return <span className={classes.inline}>{children}</span>;
}

/**
 * A time: how long ago, with the exact time on hover; a dash for none. Lists have a
 * hundred of them: a title costs nothing, where each Tooltip would watch its element.
 */
export function When({ at, exact }: { at: string | null | undefined; exact?: boolean }) {
  const f = useFormat();
  useClock();
  if (!at) return <Pale>–</Pale>;
  return (
    <time dateTime={at} title={exact ? f.ago(at) : f.time(at)} className={classes.when}>
      {exact ? f.time(at) : f.ago(at)}
    </time>
  );
}

/** A number as the language writes it. */
export function Num({ value }: { value: number }) {
  return <span className={classes.number}>{useFormat().number(value)}</span>;
}

/** A record of the API as it came, for who programs. */
export function Json({ value }: { value: unknown }) {
  return (
    <Code block tabIndex={0} mah={420} style={{ overflow: 'auto' }}>
      {JSON.stringify(value, null, 2)}
    </Code>
  );
}

interface NameProps<P extends PathOf<'get'>> {
  path: P;
  input: Input<P, 'get'>;
  of: (record: Answer<P, 'get'>) => string;
}

/** The name of something that an answer tells by its id only. What is gone says so. */
export function Name<P extends PathOf<'get'>>({ path, input, of }: NameProps<P>) {
  const { t } = useTranslation('shell');
  const { data, error } = useGet(path, input);
  if (error)
    return (
      <Text span c="dimmed">
        {t(error.status === 404 ? 'name.gone' : 'name.unknown')}
      </Text>
    );
  return data === undefined ? <NameComes /> : of(data as Answer<P, 'get'>);
}

/** Stands where a name will stand. */
export function NameComes() {
  const { t } = useTranslation('shell');
  return <Skeleton component="span" role="img" aria-label={t('loading')} display="inline-block" w={90} h={12} />;
}

export interface Moment {
  key: string;
  at: string;
  title: ReactNode;
  text?: ReactNode;
  icon?: ReactNode;
}

/** What happened, newest first. */
export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <MantineTimeline bulletSize={26} lineWidth={2} component="ol" py={0} pe={0} m={0} style={{ listStyle: 'none' }}>
      {moments.map((m) => (
        <MantineTimeline.Item key={m.key} title={m.title} bullet={m.icon} component="li">
          {m.text && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {m.text}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            <When at={m.at} />
          </Text>
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  );
}
