// What a person is told in passing.
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import i18next from 'i18next';
import type { ApiError } from '../api/error';
import { answerInDialog } from '../frame/Asked';
import { sentenceOf } from '../language/problem';
import { Copy } from './Copy';

const long = 12_000;
const closing = () => ({ 'aria-label': i18next.t('close', { ns: 'shell' }) });

export function showDone(message: string): void {
  notifications.show({ message, color: 'teal', closeButtonProps: closing(), icon: <IconCheck size={18} aria-hidden /> });
}

/** Says what happened, what to do, and the request id to copy for who can look it up. */
export function showProblem(error: ApiError): void {
  if (answerInDialog(error)) return;
  const { title, message } = sentenceOf(error);
  notifications.show({
    id: error.lost ? 'network' : undefined, // one word about the network, not ten
    title,
    message: <>{message}{error.requestId && <Copy value={error.requestId} label="request" small />}</>,
    color: 'red',
    closeButtonProps: closing(),
    icon: <IconAlertTriangle size={18} aria-hidden />,
    autoClose: long,
  });
}
