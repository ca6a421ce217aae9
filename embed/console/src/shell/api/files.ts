// What is known of files that are attached to a message.
import { useQueries } from '@tanstack/react-query';
import { call, type Schema } from './client';
import { useCan } from '../session/me';
import { ApiError } from './error';

/** What is known of files. The API tells it in a preview that carries them, and nowhere else: not to who only reads. */
export function useFiles(ids: readonly string[]): { files: Schema<'ContentAttachment'>[]; missing: string[] } {
  const enabled = useCan()('campaigns:manage');
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['/attachments', { id }],
      staleTime: 60_000,
      retry: false,
      enabled,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('post', '/messages/preview', {
          signal,
          body: { message: { template_id: null, text: '.', format: 'PLAIN' as const, attachment_ids: [id], link_preview: false } },
        }),
    })),
  });
  const files = found.flatMap((q) => q.data?.attachments ?? []);
  const missing = ids.filter((_, i) => found[i]?.error instanceof ApiError && found[i].error.status === 422);
  return { files, missing };
}
