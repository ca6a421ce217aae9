import { Alert, Stack, Text } from '@mantine/core';
import { type ApiError, Copy, sentenceOf } from '@shell';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { explained } from './flow';

interface Props {
  error: ApiError;
  /** What "conflict" means here: the API uses the code for several things. */
  conflict?: string;
}

/** A refusal where it was caused: what it means, what to do, when to try again. */
export function Refusal({ error, conflict }: Props) {
  const { t } = useTranslation('account');
  const words =
    error.code === 'conflict' && conflict
      ? conflict
      : explained.includes(error.code)
        ? t(`refusal.${error.code}` as never)
        : sentenceOf(error).message;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Stack gap={4}>
        <Text size="sm">{words}</Text>
        {error.retryAfter !== null && <Text size="sm">{t('tryAfter', { count: Math.ceil(error.retryAfter / 60) })}</Text>}
        {error.requestId && <Copy value={error.requestId} label="request" small />}
      </Stack>
    </Alert>
  );
}
