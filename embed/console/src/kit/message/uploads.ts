// Files on their way to the server, several at a time.
import { asApiError, newKey, queries, sentenceOf, upload } from '@shell';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxFile, maxFiles, maxPhoto } from './message';

export interface Upload {
  key: string;
  name: string;
  /** From 0 to 1. */
  sent: number;
  problem?: string;
}

/** The words for what the API refuses. */
const refusals: Record<string, 'fileTooLarge' | 'storageFull' | 'noUpload'> = {
  file_too_large: 'fileTooLarge',
  plan_limit_reached: 'storageFull',
  invalid_upload: 'noUpload',
};

export function useUploads(ids: readonly string[], onChange: (ids: string[]) => void) {
  const { t } = useTranslation('kit');
  const [uploads, setUploads] = useState<Upload[]>([]);
  const now = useRef(ids);
  now.current = ids;
  const stops = useRef(new Map<string, AbortController>());
  const set = (key: string, change: Partial<Upload>) => setUploads((all) => all.map((u) => (u.key === key ? { ...u, ...change } : u)));
  const forget = (key: string) => {
    stops.current.delete(key);
    setUploads((all) => all.filter((u) => u.key !== key));
  };

  async function send(file: File): Promise<void> {
    const key = newKey();
    const problem = wrong(file);
    setUploads((all) => [...all, { key, name: file.name, sent: 0, problem: problem && t(problem) }]);
    if (problem) return;
    const stop = new AbortController();
    stops.current.set(key, stop);
    const form = new FormData();
    form.set('file', file, file.name);
    try {
      const made = await upload('/attachments', form, { signal: stop.signal, onSent: (sent) => set(key, { sent }) });
      queries.removeQueries({ queryKey: ['/attachments', { id: made.id }] });
      if (!now.current.includes(made.id)) onChange((now.current = [...now.current, made.id]) as string[]);
      forget(key);
    } catch (thrown) {
      if (thrown instanceof DOMException) return forget(key);
      const e = asApiError(thrown);
      const words = refusals[e.code];
      set(key, { problem: words ? t(words) : e.code === 'validation_failed' ? t('fileRefused') : sentenceOf(e).message });
    }
  }

  return {
    uploads,
    add(files: File[]): void {
      for (const f of files.slice(0, Math.max(0, maxFiles - ids.length - uploads.filter((u) => !u.problem).length))) void send(f);
    },
    drop(key: string): void {
      stops.current.get(key)?.abort();
      forget(key);
    },
  };
}

/** What is wrong with a file before it is sent; what its content is the server says. */
export function wrong(file: { size: number; type: string }): 'fileEmpty' | 'fileTooLarge' | 'photoTooLarge' | undefined {
  if (file.size === 0) return 'fileEmpty';
  if (file.size > maxFile) return 'fileTooLarge';
  return /^image\/(jpeg|png|webp)$/.test(file.type) && file.size > maxPhoto ? 'photoTooLarge' : undefined;
}
