// What a person is told in passing. What shows it is not in the first load.
import type { NotificationData } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import i18next from 'i18next';
import type { ApiError } from '../api/error';
import { answerInDialog } from './question';
import { sentenceOf } from '../language/problem';

const long = 12_000;
const closing = () => ({ 'aria-label': i18next.t('close', { ns: 'shell' }) });

type Parts = typeof import('./Notices');

function show(message: NotificationData | ((parts: Parts) => NotificationData)): void {
  void import('./Notices').then((parts) => parts.notifications.show(typeof message === 'function' ? message(parts) : message));
}

export function showDone(message: string): void {
  show({ message, color: 'teal', closeButtonProps: closing(), icon: <IconCheck size={18} aria-hidden /> });
}

/** Says what a check found; another finding with the same id takes its place. */
export function showFound(id: string, ok: boolean, message: string): void {
  show({ id, message, color: ok ? 'teal' : 'orange', closeButtonProps: closing() });
}

/** Says what happened, what to do, and the request id to copy for who can look it up. */
export function showProblem(error: ApiError, again?: () => void): void {
  if (answerInDialog(error, again)) return;
  const { title, message } = sentenceOf(error);
  show(({ Copy }) => ({
    id: error.lost ? 'network' : undefined, // one word about the network, not ten
    title,
    message: (
      <>
        {message}
        {error.requestId && <Copy value={error.requestId} label="request" small />}
      </>
    ),
    color: 'red',
    closeButtonProps: closing(),
    icon: <IconAlertTriangle size={18} aria-hidden />,
    autoClose: long,
  }));
}
