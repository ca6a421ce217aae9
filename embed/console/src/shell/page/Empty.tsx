// Pages and parts that have nothing to show, and say why and what to do.
import { Button, EmptyState, Stack } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconMoodEmpty } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../link';
import type { ApiError } from '../api/error';
import { sentenceOf } from '../language/problem';
import { Copy } from './Copy';
import { Page } from './Page';

interface Props {
  title: string;
  text?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
}

/** Nothing yet: what it is for, and the button that makes the first. */
export function Empty({ title, text, icon = <IconMoodEmpty size={32} stroke={1.4} aria-hidden />, action }: Props) {
  return (
    <EmptyState py="xl" px="md" maw={560} mx="auto" icon={icon} title={title} description={text}>
      {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
    </EmptyState>
  );
}

/** Something could not be read: what happened, another try, and the request id. */
export function Failed({ error, onAgain }: { error: ApiError; onAgain?: () => void }) {
  const { t } = useTranslation('shell');
  const { title, message } = sentenceOf(error);
  return (
    <div role="alert">
      <Empty
        title={title}
        icon={<IconAlertTriangle size={32} stroke={1.4} aria-hidden />}
        text={
          <Stack gap={6} align="center">
            {message}
            {error.requestId && <Copy value={error.requestId} label="request" small />}
          </Stack>
        }
        action={
          onAgain && (
            <Button variant="default" onClick={onAgain}>
              {t('again')}
            </Button>
          )
        }
      />
    </div>
  );
}

export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <Page title={t('notFound.title')}>
      <Empty
        title={t('notFound.title')}
        text={t('notFound.text')}
        action={
          <Button component={Link} to="/">
            {t('notFound.home')}
          </Button>
        }
      />
    </Page>
  );
}

export function NotAllowed() {
  const { t } = useTranslation('shell');
  return (
    <Page title={t('notAllowed.title')}>
      <Empty title={t('notAllowed.title')} text={t('notAllowed.text')} icon={<IconLock size={32} stroke={1.4} aria-hidden />} />
    </Page>
  );
}
