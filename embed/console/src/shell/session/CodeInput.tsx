import { PinInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Six digits, as authenticator apps show them. */
export function CodeInput({
  value,
  onChange,
  onComplete,
  error,
}: {
  value?: string;
  onChange: (v: string) => void;
  onComplete?: (v: string) => void;
  error?: ReactNode;
}) {
  const { t } = useTranslation('shell');
  return (
    <div>
      <PinInput
        length={6}
        type="number"
        oneTimeCode
        autoFocus
        value={value}
        onChange={onChange}
        onComplete={onComplete}
        error={Boolean(error)}
        aria-label={t('signin.code')}
        getInputProps={(i) => ({ 'aria-label': t('signin.digit', { n: i + 1 }) })}
      />
      {error && (
        <Text c="var(--mantine-color-error)" size="sm" mt={6} role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
