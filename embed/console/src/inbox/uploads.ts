// Files on their way into a reply.
import { asApiError, newKey, sentenceOf, upload } from '@shell';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Upload } from './types';

export interface Sending {
  key: string;
  name: string;
  /** From 0 to 1. */
  sent: number;
  problem?: string;
}

interface Options {
  conversation: string;
  files: readonly Upload[];
  /** Adds a file that the server has taken to what is there by then. */
  onTaken: (u: Upload) => void;
  mostFiles: number;
  mostMB: number;
}

export function useUploads({ conversation, files, onTaken, mostFiles, mostMB }: Options) {
  const { t } = useTranslation('inbox');
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const stops = useRef(new Map<string, AbortController>());
  useEffect(
    () => () => {
      for (const stop of stops.current.values()) stop.abort();
    },
    [],
  );
  const set = (key: string, change: Partial<Sending>) => setSending((all) => all.map((u) => (u.key === key ? { ...u, ...change } : u)));
  const forget = (key: string) => {
    stops.current.delete(key);
    setSending((all) => all.filter((u) => u.key !== key));
  };

  async function send(file: File): Promise<void> {
    const key = newKey();
    const problem =
      file.size === 0 ? t('upload.empty') : file.size > mostMB * 1024 * 1024 ? t('upload.tooLarge', { most: mostMB }) : undefined;
    setSending((all) => [...all, { key, name: file.name, sent: 0, problem }]);
    if (problem) return;
    const stop = new AbortController();
    stops.current.set(key, stop);
    const form = new FormData();
    form.set('file', file, file.name);
    try {
      const path = `/ai/conversations/${conversation}/uploads` as '/ai/conversations/{id}/uploads';
      onTaken(await upload(path, form, { signal: stop.signal, onSent: (sent) => set(key, { sent }) }));
      forget(key);
    } catch (thrown) {
      if (thrown instanceof DOMException) return forget(key);
      const e = asApiError(thrown);
      set(key, { problem: e.code === 'validation_failed' ? t('upload.refused') : sentenceOf(e).message });
    }
  }

  return {
    sending,
    busy: sending.some((u) => !u.problem),
    add(list: readonly File[]): void {
      const room = Math.max(0, mostFiles - files.length - sending.filter((u) => !u.problem).length);
      for (const f of list.slice(0, room)) void send(f);
    },
    drop(key: string): void {
      stops.current.get(key)?.abort();
      forget(key);
    },
  };
}
