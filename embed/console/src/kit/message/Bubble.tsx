import { Paper, Skeleton, Text } from '@mantine/core';
import { type ApiError, asApiError, call, useCan } from '@shell';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Formatted } from './Formatted';
import { type Attachment, type Format, hasContent, type Message, wordsOf } from './message';
import { Thumbs } from './Thumbs';
import type { Schema } from '@shell';

interface Question {
  message: Pick<Message, 'text' | 'format' | 'attachment_ids' | 'link_preview'>;
  person?: string | null;
  attributes?: Record<string, string>;
}

/** A message as the API reads it: for one person, or for nobody in particular. Only who writes messages may ask. */
export function usePreview({ message: m, person, attributes }: Question): {
  data?: Schema<'ContentPreview'>;
  problem?: ApiError;
  /** Whether it may be asked for at all. */
  may: boolean;
} {
  const may = useCan()('campaigns:manage');
  const { data, error } = useQuery({
    queryKey: ['/messages/preview', m, person, attributes],
    enabled: may && hasContent(m),
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) =>
      call('post', '/messages/preview', {
        signal,
        body: {
          recipient_id: person ?? null,
          attributes: attributes ?? {},
          message: {
            template_id: null,
            text: m.text,
            format: m.format,
            attachment_ids: m.attachment_ids,
            link_preview: m.link_preview ?? false,
          },
        },
      }),
  });
  return { data, problem: error ? asApiError(error) : undefined, may };
}

/** One message, as the messenger shows it. */
export function Bubble({
  text,
  entities,
  files,
}: {
  text: string;
  entities: Schema<'MarkupEntity'>[] | null;
  files: readonly Attachment[];
}) {
  const { t } = useTranslation('kit');
  return (
    <Paper p="sm" bg="var(--svc-canvas)" radius="lg" aria-label={t('preview')} data-message>
      <Thumbs files={files} />
      {text && <Formatted text={text} entities={entities} />}
    </Paper>
  );
}

/** A message that was written before, shown as people read it. Who may not ask for the preview reads its words. */
export function MessageBubble({ message: m }: { message: { text: string; format: string; attachment_ids: string[] } }) {
  const { t } = useTranslation('kit');
  const { data, problem, may } = usePreview({ message: { ...m, format: m.format as Format } });
  if (!hasContent(m))
    return (
      <Text size="sm" c="dimmed">
        {t('empty')}
      </Text>
    );
  if (data && !problem) return <Bubble text={data.text} entities={data.entities} files={data.attachments} />;
  if (may && !problem) return <Skeleton h={80} />;
  return <Bubble text={wordsOf(m)} entities={null} files={[]} />;
}
