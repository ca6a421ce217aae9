import { Skeleton, Text } from '@mantine/core';
import { asApiError, call, Copy, Dialog, Failed } from '@shell';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { nameOf, type Recipient } from './name';

/** The personal link at which somebody opts out, as messages have it. */
export function OptOutLink({ recipient: r, onClose }: { recipient: Recipient; onClose: () => void }) {
  const { t } = useTranslation('recipient');
  const { data, error, refetch } = useQuery({
    queryKey: ['/messages/preview', { recipient: r.id, link: true }],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      call('post', '/messages/preview', {
        signal,
        body: {
          recipient_id: r.id,
          message: { text: '{{opt_out_url}}', format: 'PLAIN', template_id: null, attachment_ids: [], link_preview: false },
        },
      }),
  });
  return (
    <Dialog onClose={onClose} title={t('optOutLink.title', { name: nameOf(r) })}>
      <Text size="sm" mb="sm">
        {t('optOutLink.text')}
      </Text>
      {error ? (
        <Failed error={asApiError(error)} onAgain={() => void refetch()} />
      ) : data ? (
        <Copy value={data.text} />
      ) : (
        <Skeleton h={28} />
      )}
    </Dialog>
  );
}
